// What changed from one profile to another, by function and path.
import { h, count, share } from "./text.js";
import { model, nameOf } from "./model.js";
import { addView, link } from "./frame.js";
import { nothing, pathCard } from "./parts.js";

function percent(part) {
	return share(part, 1);
}

function difference(before, after) {
	const points = 100 * (after - before), text = `${points >= 0 ? "+" : "−"}${Math.abs(points).toFixed(1)} points`;
	return h("span", { class: points > 0 ? "grow" : points < 0 ? "shrink" : "" }, text);
}

function workLine({ before, after }) {
	const change = before ? 100 * (after / before - 1) : 0;
	return `Work: ${count(before)} before, ${count(after)} after (${change >= 0 ? "+" : "−"}${Math.abs(change).toFixed(1)}%)`;
}

async function showPath(event, row) {
	const [side, [owner, id]] = row.after[1] >= 0 ? [model.side, row.after] : [model.before, row.before];
	const place = event.currentTarget.closest("tr"), next = place.nextElementSibling;
	if (next?.classList.contains("shown")) { next.remove(); return; }
	const found = side.functions[owner], path = found.paths?.find(each => each[0] === id);
	place.after(h("tr", { class: "shown" }, h("td", { colspan: 6 }, path ? await pathCard(side, found, [path]) : nothing("The page does not hold this path."))));
}

function pathRow(row) {
	const [side, [owner, id]] = row.after[1] >= 0 ? [model.side, row.after] : [model.before, row.before];
	return h("tr", { "data-change": row.change }, h("td", {}, row.change), h("td", {}, h("button", { class: "plain", onclick: event => showPath(event, row) }, nameOf(side.functions[owner], [id]))),
		h("td", { class: "number" }, percent(row.before[4])), h("td", { class: "number" }, percent(row.after[4])),
		h("td", { class: "number" }, difference(row.before[4], row.after[4])), h("td", { class: "number" }, `${count(row.before[2])} → ${count(row.after[2])} times`));
}

function groupRows(group) {
	const [side, number] = group.after[0] >= 0 ? [model.side, group.after[0]] : [model.before, group.before[0]];
	const owner = side.functions[number], word = group.total?.change ?? "";
	return [h("tr", {}, h("th", { scope: "row", colspan: 2 }, side === model.side ? link({ fn: owner.name }, owner.name) : owner.name, word ? ` (${word})` : ""),
		h("td", { class: "number" }, percent(group.before[4])), h("td", { class: "number" }, percent(group.after[4])),
		h("td", { class: "number" }, difference(group.before[4], group.after[4])), h("td", {})), group.paths.slice(0, 50).map(pathRow)];
}

function draw(content) {
	const diff = model.comparison;
	content.append(h("h2", {}, "Before and after"), h("p", {}, h("b", {}, workLine(diff))),
		h("p", {}, `${percent(diff.overlap)} of the work is on the same ${diff.same_build ? "paths" : "paths or functions"}: ${count(diff.appeared)} paths appeared, ${count(diff.vanished)} vanished, ${count(diff.moved)} moved, ${count(diff.same)} stayed.`),
		h("p", { class: "faint" }, `Before: ${model.before.profile} (${model.before.program}). After: ${model.side.profile} (${model.side.program}).`));
	if (diff.scaled) content.append(nothing("One run did much more of the same work than the other. Scale is taken out: a path moved only if its share did."));
	if (diff.left_out) content.append(nothing(`${count(diff.left_out)} functions cannot be compared: one side did not count them.`));
	content.append(h("table", {}, h("thead", {}, h("tr", {}, ["what", "function and path", "before", "after", "change", "count"].map(title => h("th", {}, title)))),
		h("tbody", {}, diff.groups.slice(0, 200).map(groupRows))));
	if (diff.groups.length > 200) content.append(nothing(`${count(diff.groups.length - 200)} functions with smaller changes are left out.`));
	if (diff.groups.length === 0) content.append(nothing("Nothing changed."));
}

addView("compare", "Compare", draw, () => model.comparison !== null);
