// The graph of a function, as Graphviz laid it out, with a path drawn in.
import { h, svg, count, visible } from "./text.js";
import { model, nameOf } from "./model.js";
import { addView, go, link } from "./frame.js";
import { nothing } from "./parts.js";

const LINES = 6, CHARACTERS = 50;

// The edges of a path, as texts.
function edgesOf(path) {
	const blocks = path?.[5] ?? [];
	return new Set(blocks.slice(1).map((block, index) => `${blocks[index]} ${block}`));
}

function drawBox(owner, [x, y, width, height], block, number, texts, lit, whole) {
	const left = x - width / 2, top = whole - y - height / 2;
	const group = svg("g", { class: lit.has(number) ? "lit" : "" }, svg("rect", { class: block[0] === 0 ? "box zero" : "box", x: left, y: top, width, height, rx: 4 }),
		svg("text", { x: left + 6, y: top + 14, "font-weight": "bold" }, `${count(block[0])}`));
	for (let i = 1, row = 0; i < block.length && row < LINES; i += 2, row++) {
		const text = texts.get(block[i])?.[block[i + 1] - 1];
		group.append(svg("text", { x: left + 6, y: top + 28 + 14 * row }, visible(`${block[i + 1]} ${(text ?? "").trim()}`, CHARACTERS).slice(0, CHARACTERS + 2)));
	}
	group.append(svg("title", {}, `block ${number}, run ${count(block[0])} times`));
	return group;
}

function drawWire([from, to, ...points], whole, edges, litEdges) {
	const at = index => `${points[index]},${whole - points[index + 1]}`;
	let path = `M${at(0)}`;
	for (let i = 2; i + 5 < points.length; i += 6) path += `C${at(i)} ${at(i + 2)} ${at(i + 4)}`;
	const times = edges.filter(edge => edge[0] === from && edge[1] === to).reduce((sum, edge) => sum + (edge[2] ?? 0), 0);
	const lit = litEdges.has(`${from} ${to}`);
	return svg("path", { class: `wire ${times === 0 ? "zero" : ""} ${lit ? "lit" : ""}`, d: path, "marker-end": "url(#arrow)" },
		svg("title", {}, `${count(times)} times`));
}

async function picture(side, owner, graph, path) {
	const [, width, height, boxes, wires] = graph, lit = new Set(path?.[5]), litEdges = edgesOf(path);
	const numbers = new Set(owner.blocks.flatMap(block => block.filter((_, index) => index % 2 === 1)));
	const texts = new Map(await Promise.all([...numbers].filter(number => number >= 0).map(async number => [number, (await side.file(number)).text])));
	const image = svg("svg", { width: width + 20, height: height + 20, viewBox: `-10 -10 ${width + 20} ${height + 20}`, role: "img", "aria-label": `Graph of ${owner.name}` },
		svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
			svg("path", { d: "M0,0L8,4L0,8z", fill: "currentColor" }))));
	for (const wire of wires ?? []) image.append(drawWire(wire, height, owner.edges, litEdges));
	boxes.forEach((box, number) => image.append(number < owner.blocks.length ? drawBox(owner, box, owner.blocks[number], number, texts, lit, height)
		: svg("text", { x: box[0] - 10, y: height - box[1] + 4 }, "end")));
	return image;
}

async function draw(content, words) {
	const side = model.side, owner = side.find(words.get("graph")), drawn = (side.graphs ?? []).map(each => side.functions[each[0]]);
	if (!words.get("graph") && drawn.length) { go({ graph: drawn[0].name }); return; }
	const graph = owner && (side.graphs ?? []).find(each => each[0] === owner.number);
	const choose = h("select", { "aria-label": "Function", onchange: event => go({ graph: event.target.value }) },
		drawn.map(each => h("option", { value: each.name, selected: each === owner }, each.name)));
	content.append(h("h2", {}, owner ? `Graph of ${owner.name}` : "Graph"));
	if (!graph) {
		content.append(nothing(drawn.length ? "This function has no picture: only those with most work, and not too large, do." : "There are no pictures: install Graphviz, and make the page again."), h("div", { class: "tools" }, drawn.length ? choose : ""));
		return null;
	}
	const path = owner.paths?.find(each => String(each[0]) === words.get("path"));
	const paths = h("select", { "aria-label": "Path", onchange: event => go(event.target.value ? { graph: owner.name, path: event.target.value } : { graph: owner.name }) },
		h("option", { value: "" }, "no path"), (owner.paths ?? []).slice(0, 100).map(each => h("option", { value: each[0], selected: each === path }, `${nameOf(owner, each)}, ${count(each[1])} times`)));
	content.append(h("div", { class: "tools" }, choose, paths, link({ fn: owner.name }, "the function")),
		h("div", { class: "canvas", tabindex: "0", role: "region", "aria-label": "Picture of the graph" }, await picture(side, owner, graph, path)));
	return () => {};
}

addView("graph", "Graph", draw, () => (model.side.graphs ?? []).length > 0);
