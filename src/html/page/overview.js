// What the profile is, in numbers, and what it does not know.
import { h, age, bar, count, share } from "./text.js";
import { model } from "./model.js";
import { addView, link } from "./frame.js";
import { nothing, routes } from "./parts.js";

function tile(value, label, key) {
	return h("div", { class: "tile", "data-tile": key }, h("b", {}, value), h("span", {}, label));
}

function tiles(side) {
	const sum = side.totals(), list = [tile(count(side.runs), side.runs === 1 ? "run" : "runs", "runs")];
	if (!side.counted) return h("div", { class: "tiles" }, list);
	list.unshift(tile(count(side.instructions), "instructions of work (not time)", "instructions"));
	list.push(tile(`${count(side.executed_functions)} of ${count(side.functions.length)}`, "functions ran", "functions"));
	if (sum.ran + sum.never > 0)
		list.push(tile(`${count(sum.ran)} of ${count(sum.ran + sum.never + sum.unknown)}`, `lines ran, in ${count(sum.files)} files`, "lines"));
	if (sum.arms > 0) list.push(tile(`${count(sum.taken)} of ${count(sum.arms)}`, "outcomes of branches taken", "outcomes"));
	if (side.functions.some(each => each.paths_known))
		list.push(tile(`${count(sum.paths)} of ${count(sum.possible)}`, "possible paths ran", "paths"));
	return h("div", { class: "tiles" }, list);
}

// One line for what is not known.
function doubts(side) {
	const said = [], unknown = side.totals().unknown;
	if (side.cut_short) said.push(`${count(side.cut_short)} thread${side.cut_short === 1 ? " was" : "s were"} cut short: its last path may be missing`);
	if (side.running) said.push(`${count(side.running)} thread${side.running === 1 ? "" : "s"} still counted when the page was made`);
	if (unknown) said.push(`of ${count(unknown)} lines nothing is known: the optimiser left no code of them`);
	for (const status of side.status) said.push(status);
	for (const lost of side.lost) said.push(lost);
	const stale = side.files.filter(file => file.own && (file.state === "changed" || file.state === "newer"));
	if (stale.length) said.push(`${stale.length === 1 ? `${stale[0].shown} has` : `${stale.length} sources have`} changed since the program was built: lines may not fit`);
	const missing = side.files.filter(file => file.own && file.state === "missing");
	if (missing.length) said.push(`${missing.length === 1 ? missing[0].shown : `${missing.length} sources`} could not be read`);
	return said.length ? nothing(said.join(" · ")) : null;
}

function parts(side) {
	if (side.objects.length < 2) return null;
	return [h("h2", {}, "Objects"), h("table", {}, h("tbody", {}, side.objects.map(object => h("tr", {},
		h("td", { class: "mono" }, object.path), h("td", { class: "number" }, share(object.instructions, side.instructions)),
		h("td", {}, bar(object.instructions, side.instructions))))))];
}

function hottest(side) {
	const rows = [...side.functions].sort((left, right) => right.instructions - left.instructions).slice(0, 8).filter(each => each.instructions);
	return h("table", {}, h("thead", {}, h("tr", {}, ["function", "work", "calls"].map(title => h("th", { colspan: title === "work" ? 2 : null }, title)))),
		h("tbody", {}, rows.map(each => h("tr", {}, h("td", {}, link({ fn: each.name }, each.name)),
			h("td", { class: "number" }, share(each.instructions, side.instructions)), h("td", {}, bar(each.instructions, side.instructions)),
			h("td", { class: "number" }, count(each.entries))))));
}

async function draw(content) {
	const side = model.side;
	content.append(h("p", {}, h("b", {}, side.program), ` · profile ${side.profile}, ${age(side.made - side.modified)} old when this page was made · build `,
		h("span", { class: "mono" }, side.build_id.slice(0, 12))), tiles(side), doubts(side) ?? "", ...(parts(side) ?? []),
		...(side.counted ? [h("h2", {}, "Functions with most work"), hottest(side)] : []));
	if (side.hot.length) {
		content.append(h("h2", {}, "Hot paths"));
		await routes(content, side, 3);
	} else content.append(nothing(side.counted ? "No paths were counted in this build." : "Only calls by context were counted in this build."));
}

async function drawPaths(content) {
	const side = model.side;
	content.append(h("h2", {}, "Hot paths"), h("p", { class: "faint" }, `${count(side.routes)} ran; shares are of all work`));
	await routes(content, side, 12);
}

addView("overview", "Overview", draw);
addView("paths", "Paths", drawPaths, () => model.side.hot.length > 0);
