// Contexts: a flame graph, and a tree.
import { h, bar, count, share } from "./text.js";
import { model } from "./model.js";
import { addView, link } from "./frame.js";

// A record: [function, parent, line, recursion, own cost by metric]. Parents stand before children.
class Contexts {
	constructor(side, tree, metric, inverted) {
		const own = metric + 4;
		this.side = side;
		this.nodes = tree.records.map(record => ({ owner: side.functions[record[0]], parent: record[1], line: record[2], again: record[3], self: record[own], total: record[own], children: [] }));
		for (let i = this.nodes.length - 1; i > 0; i--) {
			const node = this.nodes[i];
			this.nodes[node.parent].total += node.total;
			this.nodes[node.parent].children.push(node);
		}
		this.root = inverted ? this.invert() : this.nodes[0];
		this.root.name = "all";
		sortAll(this.root);
	}

	// Chains from the callee to its callers; each function's own cost is at the top.
	invert() {
		const root = { total: 0, self: 0, children: [] };
		this.nodes.forEach((node, number) => {
			if (!node.self || !number) return;
			root.total += node.self;
			for (let at = node, place = root, depth = 0; at?.owner && depth < 60; at = this.nodes[at.parent], depth++) {
				place.byOwner ??= new Map();
				if (!place.byOwner.has(at.owner)) {
					place.byOwner.set(at.owner, { owner: at.owner, self: 0, total: 0, again: 0, children: [] });
					place.children.push(place.byOwner.get(at.owner));
				}
				place = place.byOwner.get(at.owner);
				place.total += node.self;
			}
		});
		return root;
	}
}

function sortAll(root) {
	const left = [root];
	while (left.length) {
		const node = left.pop();
		node.children.sort((a, b) => b.total - a.total);
		left.push(...node.children);
	}
}

function nameOf(node) {
	return node.owner?.name ?? node.name ?? "?";
}

function colour(name) {
	let hash = 0;
	for (const character of name) hash = (hash * 31 + character.codePointAt(0)) % 997;
	return `hsl(${20 + hash % 45} ${70 + hash % 20}% ${66 + hash % 14}%)`;
}

class Flame {
	constructor(contexts, root) {
		this.contexts = contexts;
		this.box = h("div", { class: "canvas", role: "region", "aria-label": "Flame graph", tabindex: "0" }, this.area = h("div", { class: "flame" }));
		this.zoomed = [root];
		this.word = "";
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	draw() {
		const width = this.box.clientWidth - 4, boxes = [], root = this.zoomed.at(-1);
		if (width <= 0 || !root.total) return;
		let deepest = 0, found = 0;
		this.zoomed.slice(0, -1).forEach((node, depth) => boxes.push(this.button(node, 0, width, depth, true)));
		const left = [[root, 0, this.zoomed.length - 1]];
		while (left.length) {
			const [node, start, depth] = left.pop(), wide = width * node.total / root.total;
			if (wide < 1.5) continue;
			deepest = Math.max(deepest, depth);
			boxes.push(this.button(node, start, wide, depth, false));
			if (this.fits(node)) found += node.total;
			let next = start;
			for (const child of node.children) { left.push([child, next, depth + 1]); next += width * child.total / root.total; }
		}
		this.found = found;
		this.area.style.height = `${(deepest + 1) * 20}px`;
		this.area.replaceChildren(...boxes);
	}

	fits(node) {
		return this.word && nameOf(node).toLowerCase().includes(this.word);
	}

	button(node, start, wide, depth, dim) {
		const about = `${nameOf(node)}: ${count(node.total)}, ${share(node.total, this.contexts.root.total)}; itself ${count(node.self)}`;
		return h("button", { title: about, "aria-label": about, class: `${dim ? "dim" : ""} ${this.fits(node) ? "found" : ""}`,
			onclick: () => this.zoom(node), style: { left: `${start}px`, width: `${Math.max(1, wide - 0.5)}px`, top: `${depth * 20}px`, background: colour(nameOf(node)) } }, wide > 30 ? nameOf(node) : "");
	}

	zoom(node) {
		const at = this.zoomed.indexOf(node);
		this.zoomed = at >= 0 ? this.zoomed.slice(0, at + 1) : [...this.zoomed, ...this.chain(node)];
		this.draw();
		this.onzoom?.(node);
	}

	// From behind the zoomed node down to this one.
	chain(node) {
		const search = place => {
			if (place === node) return [];
			for (const child of place.children) {
				const rest = search(child);
				if (rest) return [child, ...rest];
			}
			return null;
		};
		return search(this.zoomed.at(-1)) ?? [node];
	}
}

function treeItem(node, whole, depth) {
	const list = h("ul"), open = depth < 2;
	const toggle = h("button", { "aria-expanded": String(open), "aria-label": `Callees of ${nameOf(node)}`, hidden: node.children.length === 0 }, open ? "−" : "+");
	const fillIn = () => { if (!list.children.length) list.append(...node.children.filter(child => child.total > 0).slice(0, 200).map(child => treeItem(child, whole, depth + 1))); };
	toggle.addEventListener("click", () => {
		const wasOpen = toggle.getAttribute("aria-expanded") === "true";
		toggle.setAttribute("aria-expanded", String(!wasOpen));
		toggle.textContent = wasOpen ? "+" : "−";
		list.hidden = wasOpen;
		fillIn();
	});
	list.hidden = !open;
	if (open) fillIn();
	return h("li", {}, h("div", { class: "item" }, toggle, h("span", { class: "number" }, share(node.total, whole)), bar(node.total, whole, 60), h("span", { class: "number" }, count(node.total)),
		node.owner ? link({ fn: node.owner.name }, node.owner.name) : nameOf(node), node.line ? h("span", { class: "faint" }, `called in line ${node.line}`) : "",
		node.again ? h("span", { class: "faint" }, `recursion: ${count(node.again)}`) : ""), list);
}

function tools(side, words, view) {
	const tree = side.trees[Number(words.get("object")) || 0], metric = Math.max(0, tree.metrics.indexOf(words.get("by")));
	const inverted = words.get("inverted") === "1";
	const to = change => ({ view, object: words.get("object") ?? 0, by: tree.metrics[metric], inverted: inverted ? 1 : 0, ...change });
	const choose = (label, names, chosen, key, value) => names.length < 2 ? null : h("select", { "aria-label": label,
		onchange: event => { location.hash = new URLSearchParams(to({ [key]: event.target.value })).toString(); } },
		names.map((name, index) => h("option", { value: value(name, index), selected: index === chosen }, name)));
	return { contexts: new Contexts(side, tree, metric, inverted), elements: [
		choose("Object", side.trees.map(each => each.object), Number(words.get("object")) || 0, "object", (_, index) => index),
		choose("Metric", tree.metrics, metric, "by", name => name), link(to({ inverted: inverted ? 0 : 1 }), inverted ? "from callers down" : "inverted: from callees up")] };
}

function drawFlame(content, words) {
	const { contexts, elements } = tools(model.side, words, "flame"), flame = new Flame(contexts, contexts.root);
	const about = h("span", { class: "faint", role: "status" });
	const search = h("input", { type: "search", placeholder: "Find a function", "aria-label": "Find a function", oninput: event => {
		flame.word = event.target.value.toLowerCase();
		flame.draw();
		about.textContent = flame.word ? `${share(flame.found, contexts.root.total)} in boxes that match` : "";
	} });
	const place = h("span");
	flame.onzoom = node => place.replaceChildren(node.owner ? link({ fn: node.owner.name }, `paths of ${nameOf(node)}`) : "");
	content.append(h("h2", {}, "Flame graph"), h("div", { class: "tools" }, search, elements, place, about), flame.box);
	return () => flame.draw();
}

function drawTree(content, words) {
	const { contexts, elements } = tools(model.side, words, "tree"), whole = contexts.root.total;
	content.append(h("h2", {}, "Contexts: who called whom"), h("div", { class: "tools" }, elements),
		h("div", { class: "tree" }, h("ul", {}, contexts.root.children.filter(node => node.total > 0).map(node => treeItem(node, whole, 0)))));
}

const has = () => model.side.trees.length > 0;
addView("flame", "Flame graph", drawFlame, has);
addView("tree", "Tree", drawTree, has);
