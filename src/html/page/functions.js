// All functions in a table, by function, file or folder.
import { h, bar, count, share } from "./text.js";
import { model } from "./model.js";
import { addView, go, link } from "./frame.js";
import { sortedTable } from "./parts.js";

function covered(each) {
	let arms = 0, taken = 0;
	for (const [, , , , list] of each.branches)
		for (const [, times] of list) { arms++; taken += times ? 1 : 0; }
	return { arms, taken };
}

const columns = side => [
	{ title: "function", class: "wide", value: each => each.name, cell: each => link({ fn: each.name }, each.name, each.entries === 0 ? { class: "never" } : {}) },
	{ title: "file", class: "c14 faint narrow-hide", value: each => side.files[each.file]?.shown ?? "",
		cell: each => each.file >= 0 ? `${side.files[each.file].shown}:${each.line}` : each.library ?? "" },
	{ title: "work", class: "c6 number", value: each => each.instructions, cell: each => share(each.instructions, side.instructions) },
	{ title: "share", class: "barbox narrow-hide", value: each => each.instructions, cell: each => bar(each.instructions, side.instructions) },
	{ title: "calls", class: "c10 number", value: each => each.entries, cell: each => each.entries === 0 ? "never" : count(each.entries) },
	{ title: "per call", class: "c8 number narrow-hide", value: each => each.entries ? each.instructions / each.entries : 0,
		cell: each => each.entries ? count(Math.round(each.instructions / each.entries)) : "" },
	{ title: "paths run", class: "c10 number narrow-hide", value: each => each.ran ?? 0,
		cell: each => each.paths_known ? `${count(each.ran ?? 0)} of ${count(each.possible)}` : "" },
	{ title: "outcomes", class: "c8 number narrow-hide", value: each => covered(each).taken / (covered(each).arms || 1),
		cell: each => { const { arms, taken } = covered(each); return arms ? `${taken} of ${arms}` : ""; } }];

// Files, or folders, with the sums of their functions.
function groups(side, nameOf) {
	const found = new Map();
	for (const each of side.functions) {
		const name = nameOf(side.files[each.file]);
		if (!found.has(name)) found.set(name, { name, file: side.files[each.file], functions: 0, ran: 0, work: 0, lines: [0, 0] });
		const group = found.get(name);
		group.functions++;
		group.ran += each.instructions > 0 || each.entries > 0 ? 1 : 0;
		group.work += each.instructions;
	}
	for (const file of side.files) {
		const group = found.get(nameOf(file));
		if (group) { group.lines[0] += file.ran; group.lines[1] += file.ran + file.never; }
	}
	return [...found.values()];
}

const groupColumns = (side, isFile) => [
	{ title: isFile ? "file" : "folder", class: "wide", value: each => each.name, cell: each => isFile && each.file ? link({ file: each.file.path }, each.name) : each.name },
	{ title: "work", class: "c6 number", value: each => each.work, cell: each => share(each.work, side.instructions) },
	{ title: "share", class: "barbox narrow-hide", value: each => each.work, cell: each => bar(each.work, side.instructions) },
	{ title: "functions run", class: "c10 number", value: each => each.ran, cell: each => `${count(each.ran)} of ${count(each.functions)}` },
	{ title: "lines run", class: "c10 number", value: each => each.lines[0] / (each.lines[1] || 1), cell: each => `${count(each.lines[0])} of ${count(each.lines[1])}` }];

function folderOf(file) {
	return file ? file.shown.replace(/[^/]*$/, "") || "./" : "?";
}

function draw(content, words) {
	const side = model.side, by = words.get("by") ?? "function";
	const table = by === "function"
		? sortedTable(side.functions, columns(side), { label: "functions", sortBy: 2, filterBy: each => `${each.name} ${each.linker} ${side.files[each.file]?.shown ?? ""}` })
		: sortedTable(groups(side, by === "file" ? file => file?.shown ?? "?" : folderOf), groupColumns(side, by === "file"),
			{ label: by === "file" ? "files" : "folders", sortBy: 1, filterBy: each => each.name });
	const choices = ["function", "file", "folder"].map(name => h("button", { "aria-pressed": name === by, onclick: () => go({ view: "functions", by: name }) }, `by ${name}`));
	content.append(h("h2", {}, "Functions"), h("div", { class: "tools" }, table.tools, choices), table.head, table.list.box);
	return table.show;
}

addView("functions", "Functions", draw, () => model.side.counted);
