// The text of a file with its counts. Two lines that are clicked: the paths through both.
import { h, count, share, visible } from "./text.js";
import { model, nameOf } from "./model.js";
import { addView, address, go, link, onKey } from "./frame.js";
import { nothing, Rows } from "./parts.js";

const UNKNOWN = 2;

function countText(known) {
	if (!known || known.state === UNKNOWN) return known ? "-" : "";
	return (known.state === 1 ? "~" : "") + (known.count === 0 && known.state === 0 ? "never" : count(known.count));
}

function armsText(columns) {
	return h("span", { class: "arms" }, [...columns.values()].map(({ arms }) => {
		const all = [...arms.values()].reduce((sum, each) => sum + (each ?? 0), 0);
		return [...arms].map(([outcome, times], index) => [index ? " / " : "  · ",
			h("b", { class: times === 0 ? "zero" : "" }, visible(outcome)), ` ${times === 0 ? "never" : `${count(times)} (${share(times, all)})`}`]);
	}));
}

class SourceView {
	constructor(side, file, data, words) {
		Object.assign(this, { side, file, data, picked: [], lit: new Set() });
		this.hottest = Math.max(1, ...[...data.counts.values()].map(each => each.count));
		this.last = Math.max(data.text?.length ?? 0, ...data.counts.keys());
		this.paths = side.pathsIn(file.number);
		this.rows = new Rows(20, index => this.drawLine(index + 1), { class: "rows source", role: "list", "aria-label": `Source of ${file.shown}` });
		this.beside = h("div", { class: "pane beside", role: "region", "aria-label": "Paths through the lines", tabindex: "0" });
		for (const line of (words.get("lines") ?? "").split(",").map(Number).filter(Boolean)) this.picked.push(line);
		this.named = this.paths.find(each => nameOf(each.owner, each.path) === words.get("path"));
		if (this.named) this.lit = this.named.lines;
		this.start = Number(words.get("line")) || this.picked[0] || Math.min(...(this.named?.lines ?? [1]));
	}

	drawLine(line) {
		const known = this.data.counts.get(line), branches = this.side.branches.get(`${this.file.number}:${line}`);
		const never = known && known.count === 0 && known.state === 0;
		const heat = known ? Math.log1p(known.count) / Math.log1p(this.hottest) : 0;
		const kind = [never ? "zero" : "", this.lit.has(line) ? "lit" : "", this.picked.includes(line) ? "picked" : ""].join(" ");
		return h("div", { class: `row ${kind}`, role: "listitem", "data-line": line, onclick: () => this.pick(line) },
			h("span", { class: "count", style: heat > 0 ? { background: `rgba(var(--hot), ${(0.42 * heat * heat).toFixed(2)})` } : {} }, countText(known)),
			this.other ? h("span", { class: "count faint" }, countText(this.other.get(line))) : null,
			h("span", { class: "place" }, String(line)), h("span", { class: "text" }, visible(this.data.text?.[line - 1] ?? "")),
			branches ? armsText(branches) : null);
	}

	pick(line) {
		this.picked = this.picked.includes(line) ? this.picked.filter(each => each !== line) : [...this.picked, line].slice(-2);
		const words = { file: this.file.path };
		if (this.picked.length) words.lines = this.picked.join(",");
		history.replaceState(null, "", address(words));
		this.named = null;
		this.lit = new Set();
		this.showPaths();
	}

	light(lines) {
		this.lit = lines;
		this.rows.show();
	}

	showPaths() {
		const through = this.paths.filter(each => this.picked.every(line => each.lines.has(line)));
		const title = this.picked.length === 2 ? `Paths through lines ${this.picked.join(" and ")}` : this.picked.length === 1
			? `Paths through line ${this.picked[0]}` : "Paths in this file";
		const sum = through.reduce((all, each) => all + each.path[1], 0);
		this.beside.replaceChildren(h("h3", {}, title), h("p", { class: "faint", id: "through" },
			this.picked.length < 2 ? "Click two lines: the paths through both. " : "", `${count(through.length)} paths, run ${count(sum)} times`),
			h("ul", { class: "list" }, through.slice(0, 60).map(each => h("li", {
				onmouseenter: () => this.light(each.lines), onmouseleave: () => this.light(this.named?.lines ?? new Set()) },
				link({ fn: each.owner.name, path: each.path[0] }, nameOf(each.owner, each.path), { onfocus: () => this.light(each.lines) }),
				` ${count(each.path[1])} times, ${share(each.path[2], this.side.whole || this.side.instructions)}`))));
		this.rows.show();
	}

	// Moves to the next line, or the previous, that fits.
	seek(step, fits) {
		let line = this.at ?? this.start;
		do line += step; while (line > 0 && line <= this.last && !fits(line));
		if (line <= 0 || line > this.last) return;
		this.at = line;
		this.lit = new Set([line]);
		this.rows.reveal(line - 1);
	}
}

function fileList(side, current) {
	const own = side.files.filter(file => file.own && (file.ran || file.never || file.unknown));
	const shown = own.length ? own : side.files;
	return h("nav", { class: "pane files", "aria-label": "Files" }, h("ul", { class: "list" }, [...shown].sort((left, right) => left.shown.localeCompare(right.shown))
		.map(file => h("li", {}, link({ file: file.path }, file.shown, { "aria-current": file === current ? "true" : null }),
			h("span", { class: "faint" }, ` ${share(file.ran, file.ran + file.never)} of lines`)))));
}

function warning(file, data) {
	if (file.state === "changed" || file.state === "newer") return nothing("This source has changed since the program was built: lines may not fit.");
	if (!data.text && file.state === "missing") return nothing("This source could not be read: counts are by line number.");
	return data.text ? null : nothing("The text of this source is not in the page: counts are by line number.");
}

async function draw(content, words) {
	const side = model.side;
	const file = words.get("file") ? side.findFile(words.get("file")) : [...side.files].sort((left, right) => right.own - left.own || right.ran - left.ran)[0];
	if (!file) { content.append(nothing(words.get("file") ? `This profile has no code of '${words.get("file")}'.` : "No source lines are known: compile with -g.")); return null; }
	const data = await side.file(file.number), view = new SourceView(side, file, data, words);
	const earlier = model.before?.findFile(file.path);
	if (earlier && earlier.state === "fits") view.other = (await model.before.file(earlier.number)).counts;
	content.append(h("h2", {}, file.shown), warning(file, data) ?? "", h("div", { class: "split" }, fileList(side, file), h("div", { class: "pane text" }, view.rows.box), view.beside));
	const hot = line => (data.counts.get(line)?.count ?? 0) >= view.hottest / 10;
	onKey("j", "next hot line", () => view.seek(1, hot));
	onKey("k", "previous hot line", () => view.seek(-1, hot));
	onKey("n", "next line that never ran", () => view.seek(1, line => data.counts.get(line)?.count === 0 && data.counts.get(line).state === 0));
	onKey("p", "previous line that never ran", () => view.seek(-1, line => data.counts.get(line)?.count === 0 && data.counts.get(line).state === 0));
	onKey("g", "list of functions", () => go({ view: "functions" }));
	view.rows.fill(view.last);
	view.showPaths();
	return () => { view.rows.fill(view.last); if (Number.isFinite(view.start)) view.rows.reveal(view.start - 1); };
}

addView("source", "Source", draw, () => model.side.counted && model.side.files.length > 0);
