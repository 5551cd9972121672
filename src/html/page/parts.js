// Parts that several views use: long lists, tables, and paths as cards.
import { h, bar, count, share, visible } from "./text.js";
import { BLOCKS, DECISION, INLINED, model, nameOf, otherArms } from "./model.js";
import { copy, link, onKey } from "./frame.js";

// A list of any length: only the rows in sight exist. `draw(index)` makes a row.
export class Rows {
	constructor(height, draw, attributes) {
		this.height = height;
		this.draw = draw;
		this.space = h("div", { class: "space" });
		this.box = h("div", { class: "rows", tabindex: "0", ...attributes }, this.space);
		this.box.addEventListener("scroll", () => requestAnimationFrame(() => this.show()));
		new ResizeObserver(() => this.show()).observe(this.box);
		this.length = 0;
	}

	fill(length) {
		this.length = length;
		this.space.style.height = `${Math.max(1, length * this.height)}px`;
		this.show();
	}

	show() {
		const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 10);
		const end = Math.min(this.length, Math.ceil((this.box.scrollTop + (this.box.clientHeight || 800)) / this.height) + 10);
		const rows = [];
		for (let i = first; i < end; i++) {
			const row = this.draw(i);
			row.style.top = `${i * this.height}px`;
			row.style.height = `${this.height}px`;
			rows.push(row);
		}
		this.space.replaceChildren(...rows);
	}

	reveal(index) {
		const top = index * this.height, box = this.box;
		if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60)
			box.scrollTop = Math.max(0, top - box.clientHeight / 3);
		this.show();
	}
}

// A table that can be sorted and filtered. Columns: { title, class, value(row), cell(row) }.
export function sortedTable(rows, columns, { label, filterBy, sortBy }) {
	let shown = [], sort = sortBy, falling = true, chosen = -1;
	const list = new Rows(28, index => h("div", { class: index === chosen ? "row chosen" : "row", role: "listitem" },
		columns.map(column => h("span", { class: column.class }, column.cell(shown[index])))), { role: "list", "aria-label": label });
	const filter = h("input", { type: "search", placeholder: "Filter", "aria-label": `Filter ${label}`, oninput: () => update() });
	const amount = h("span", { class: "faint", role: "status" });
	const heads = columns.map((column, index) => h("button", { class: column.class, "aria-pressed": "false",
		onclick: () => { falling = sort === index ? !falling : true; sort = index; update(); } }, column.title));
	function update() {
		const word = filter.value.toLowerCase(), value = columns[sort].value;
		shown = rows.filter(row => !word || filterBy(row).toLowerCase().includes(word));
		shown.sort((left, right) => {
			const a = value(left), b = value(right);
			const order = typeof a === "string" ? -a.localeCompare(b) : (a ?? -1) - (b ?? -1);
			return falling ? -order : order;
		});
		heads.forEach((head, index) => head.setAttribute("aria-pressed", index === sort));
		amount.textContent = shown.length === rows.length ? `${count(rows.length)} rows` : `${count(shown.length)} of ${count(rows.length)} rows`;
		list.fill(shown.length);
	}
	function move(step) {
		chosen = Math.max(0, Math.min(shown.length - 1, chosen + step));
		list.reveal(chosen);
	}
	onKey("j", "next row", () => move(1));
	onKey("k", "previous row", () => move(-1));
	onKey("Enter", "open the row", () => list.space.querySelector(".chosen a")?.click());
	update();
	return { tools: [filter, amount], head: h("div", { class: "head" }, heads), list, show: () => list.show() };
}

function outcomeClass(outcome) {
	return outcome === "yes" ? "yes" : outcome === "no" ? "no" : "other";
}

function step(kind, place, text, more) {
	return h("li", { class: `step ${kind}` }, h("span", { class: "place" }, place ? String(place) : ""), h("span", { class: "text" }, text), more);
}

function instead(owner, path, index) {
	const list = h("ul", { class: "instead" }, otherArms(owner, path, index).map(other => h("li", {},
		h("span", { class: outcomeClass(other.outcome) }, visible(other.outcome)), ` ${count(other.times)} times`,
		other.line && !other.outcome.startsWith("→") ? `, to line ${other.line}` : "",
		other.path ? [": ", link({ fn: owner.name, path: other.path[0] }, nameOf(owner, other.path))] : ", on no path that came the same way")));
	return h("li", {}, list);
}

// Whether the condition is one of several of its line, and has to be told from the others.
function isPart(condition, text) {
	return /&&|\|\||\?|\bfor\b/.test(text) && !/^switch|^for/.test(condition) && condition !== "";
}

// Draws what runs, in its order. Lines in between are dim.
class Drawing {
	constructor(owner, path, side) {
		Object.assign(this, { owner, path, side, rows: [], decided: 0 });
	}

	async draw() {
		const numbers = new Set(this.path[3].filter(item => item[0] !== BLOCKS).map(item => item[0] === DECISION ? this.owner.branches[item[1]][0] : item[1]));
		this.texts = new Map(await Promise.all([...numbers].filter(number => number >= 0)
			.map(async number => [number, (await this.side.file(number)).text])));
		this.path[3].forEach((item, index) => {
			if (item[0] === DECISION) this.drawDecision(item);
			else if (item[0] === BLOCKS) this.rows.push(step("lit", 0, `block ${item.slice(1).join(", ")}`));
			else this.drawLines(item, this.path[3][index + 1]);
		});
		if (this.path[4]) this.rows.push(step("said", 0, this.path[4]));
		return h("ol", { class: "code", tabindex: "0", "aria-label": `Source of ${nameOf(this.owner, this.path)}` }, this.rows);
	}

	text(file, line) {
		const text = this.texts.get(file)?.[line - 1];
		return text === undefined ? `${this.side.files[file]?.shown ?? "block"}:${line}` : visible(text, 240);
	}

	kind(file) {
		return this.inner || file !== this.owner.file ? "lit inner" : "lit";
	}

	nameFile(file) {
		if (file === this.last || file < 0) return;
		if (this.last !== undefined || file !== this.owner.file) this.rows.push(step("said", 0, this.side.files[file].shown));
		this.last = file;
	}

	drawLines([kind, file, ...lines], next) {
		this.inner = kind === INLINED;
		const branch = next?.[0] === DECISION ? this.owner.branches[next[1]] : null;
		const left = lines.filter(line => !(branch && branch[0] === file && branch[1] === line));
		if (left.length === 0) return;
		if (!this.side.files[file].own) {
			this.rows.push(step("said inner", 0, `library code: ${this.side.files[file].shown}, ${left.length} line${left.length === 1 ? "" : "s"}`));
			return;
		}
		this.nameFile(file);
		left.forEach((line, index) => {
			for (let between = left[index - 1] + 1; between < line && line - left[index - 1] <= 4; between++)
				this.rows.push(step("dim", between, this.text(file, between)));
			this.rows.push(step(this.kind(file), line, this.text(file, line)));
		});
	}

	drawDecision([, number, arm]) {
		const [file, line, , condition, arms] = this.owner.branches[number], [outcome, times] = arms[arm];
		const all = arms.reduce((sum, each) => sum + (each[1] ?? 0), 0), index = this.decided++, owner = this.owner, path = this.path;
		if (file >= 0 && line && this.side.files[file].own) this.nameFile(file);
		const text = file >= 0 && line ? this.text(file, line) : condition;
		const part = times === null ? null : h("span", { class: "faint" }, `${share(times, all)} go this way`);
		const row = step(this.kind(file), line, visible(text.trimEnd(), 160), [h("span", { class: outcomeClass(outcome) },
			(outcome.startsWith("→") ? "" : isPart(condition, text) ? `${visible(condition)} → ` : "→ ") + visible(outcome)), part,
			arms.length > 1 ? h("button", { "aria-expanded": "false", onclick: event => {
				const open = event.currentTarget.getAttribute("aria-expanded") === "true";
				event.currentTarget.setAttribute("aria-expanded", !open);
				if (open) row.nextSibling.remove(); else row.after(instead(owner, path, index));
			} }, "instead") : null]);
		this.rows.push(row);
	}
}

function asText(card) {
	return [...card.querySelectorAll("h3, .step")].map(row => row.innerText.replace(/\n/g, "\t")).join("\n");
}

// A route: one path, or several that run one after another.
export async function pathCard(side, owner, paths, { rank, name, times, work } = {}) {
	const whole = side.whole || side.instructions, first = paths[0];
	work ??= paths.reduce((sum, path) => sum + path[2], 0);
	const title = h("h3", {}, rank ? `${rank}. ` : "", link({ fn: owner.name, path: first[0] }, name ?? nameOf(owner, first)));
	const card = h("article", { class: "card", "data-path": nameOf(owner, first) }, h("header", {}, title,
		h("span", {}, share(work, whole), " of the work ", bar(work, whole, 90)),
		h("span", {}, `${count(times ?? first[1])} times`),
		owner.file >= 0 ? link({ file: side.files[owner.file].path, path: nameOf(owner, first) }, side.files[owner.file].shown) : null,
		link({ graph: owner.name, path: first[0] }, "graph"),
		h("button", { onclick: () => copy(asText(card)) }, "copy")));
	for (const path of paths) card.append(await new Drawing(owner, path, side).draw());
	return card;
}

export function stepThroughCards() {
	let at = -1;
	const move = by => {
		const cards = [...document.querySelectorAll("#main .card")];
		cards[at]?.classList.remove("chosen");
		at = Math.max(0, Math.min(cards.length - 1, at + by));
		cards[at]?.classList.add("chosen");
		cards[at]?.scrollIntoView({ block: "nearest" });
	};
	onKey("j", "next path", () => move(1));
	onKey("k", "previous path", () => move(-1));
}

// Cards for as many routes as are wanted; a button adds more.
export async function routes(content, side, limit) {
	const place = h("div"), more = h("button", {}, "Show more");
	let shown = 0;
	async function add(amount) {
		for (const [number, pieces, times, work, name] of side.hot.slice(shown, shown + amount)) {
			const owner = side.functions[number];
			place.append(await pathCard(side, owner, pieces.map(index => owner.paths[index]), { rank: ++shown, name, times, work }));
		}
		more.hidden = shown >= side.hot.length;
	}
	more.addEventListener("click", () => add(20));
	await add(limit);
	content.append(place, more);
	stepThroughCards();
}

export function nothing(text) {
	return h("p", { class: "note" }, text);
}

export function sideName() {
	return model.before ? "after" : "";
}
