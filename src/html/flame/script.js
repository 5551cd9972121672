"use strict";
// Zoom: a click on a box makes it as wide as the window. Search: boxes whose names hold the text.
(() => {
	const svg = document.documentElement, note = document.getElementById("note"), about = document.getElementById("about");
	const boxes = [...svg.querySelectorAll(".box")].map(element => ({ element, from: +element.dataset.from, total: +element.dataset.total,
		depth: +element.dataset.depth, name: element.querySelector("text").textContent, title: element.querySelector("title").textContent }));
	const all = boxes[0], said = note.textContent;
	let zoomed = all, word = "";

	function draw() {
		const wide = svg.getBoundingClientRect().width, end = zoomed.from + zoomed.total;
		for (const box of boxes) {
			const from = Math.max(box.from, zoomed.from), to = Math.min(box.from + box.total, end);
			box.element.classList.toggle("away", to <= from);
			box.element.classList.toggle("above", box.depth < zoomed.depth);
			if (to <= from) continue;
			const share = (to - from) / zoomed.total;
			box.element.setAttribute("x", `${100 * (from - zoomed.from) / zoomed.total}%`);
			box.element.setAttribute("width", `${100 * share}%`);
			box.element.classList.toggle("thin", share * wide < 20);
		}
	}

	function zoom(box) {
		zoomed = box;
		draw();
	}

	// Boxes that were found inside others that were found count once.
	function search(text) {
		word = text.toLowerCase();
		let sum = 0, count = 0, end = 0;
		const found = boxes.filter(box => box !== all && word && box.name.toLowerCase().includes(word));
		for (const box of boxes) box.element.classList.remove("found");
		for (const box of found.sort((a, b) => a.from - b.from || b.total - a.total)) {
			box.element.classList.add("found");
			count++;
			if (box.from >= end) {
				sum += box.total;
				end = box.from + box.total;
			}
		}
		note.textContent = word ? `${count.toLocaleString("en")} found, with ${sum.toLocaleString("en")} of ${all.total.toLocaleString("en")} (${(100 * sum / all.total).toFixed(1)}%)` : said;
	}

	function addInput() {
		const html = "http://www.w3.org/1999/xhtml", place = document.createElementNS(svg.namespaceURI, "foreignObject");
		const input = document.createElementNS(html, "input");
		for (const [key, value] of Object.entries({ x: "70%", y: 6, width: "29%", height: 30 })) place.setAttribute(key, value);
		for (const [key, value] of Object.entries({ type: "search", placeholder: "Search ( / )", "aria-label": "Search functions" })) input.setAttribute(key, value);
		input.addEventListener("input", () => search(input.value));
		place.append(input);
		svg.append(place);
		return input;
	}

	const input = addInput();
	for (const box of boxes) {
		box.element.setAttribute("tabindex", "0");
		box.element.addEventListener("click", () => zoom(box));
		box.element.addEventListener("keydown", event => { if (event.key === "Enter") zoom(box); });
		for (const kind of ["mouseenter", "focus"]) box.element.addEventListener(kind, () => { about.textContent = box.title; });
		box.element.addEventListener("mouseleave", () => { about.textContent = ""; });
	}
	document.getElementById("ground").addEventListener("click", () => zoom(all));
	addEventListener("keydown", event => {
		if (event.key === "/" && event.target !== input) {
			input.focus();
			event.preventDefault();
		} else if (event.key === "Escape") {
			input.value = "";
			search("");
			zoom(all);
		}
	});
	addEventListener("resize", draw);
	svg.setAttribute("width", "100%");
	draw();
})();
