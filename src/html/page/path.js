// One function: who calls it, what it calls, and its paths.
import { h, count, share } from "./text.js";
import { model, nameOf } from "./model.js";
import { addView, go, link, onKey } from "./frame.js";
import { nothing, pathCard, stepThroughCards } from "./parts.js";

function times(least, most) {
	if (least === most && least !== null) return `${count(least)} times`;
	if (least === null) return most === null ? "an unknown number of times" : `${count(most)} times at most`;
	return most === null ? `${count(least)} times at least` : `${count(least)} to ${count(most)} times`;
}

function callers(side, owner) {
	const found = (side.callers.get(owner.number) ?? []).sort((left, right) => (right.most ?? 0) - (left.most ?? 0));
	if (found.length === 0) return h("p", { class: "faint" }, "No caller is counted in this build.");
	return h("ul", { class: "list" }, found.slice(0, 30).map(call => h("li", {}, link({ fn: call.caller.name }, call.caller.name),
		` ${times(call.least, call.most)} `, call.file >= 0 ? link({ file: side.files[call.file].path, line: call.line }, `${side.files[call.file].shown}:${call.line}`) : "")));
}

function callees(side, owner) {
	const found = [...owner.calls ?? []].sort((left, right) => (right[4] ?? 0) - (left[4] ?? 0));
	if (found.length === 0) return h("p", { class: "faint" }, "It calls nothing by name.");
	return h("ul", { class: "list" }, found.slice(0, 30).map(([callee, file, line, least, most]) => h("li", {},
		typeof callee === "number" ? link({ fn: side.functions[callee].name }, side.functions[callee].name) : callee, ` ${times(least, most)} `,
		file >= 0 ? link({ file: side.files[file].path, line }, `:${line}`) : "")));
}

async function drawFunction(content, words) {
	const side = model.side, owner = side.find(words.get("fn"));
	if (!owner) { content.append(nothing(`This profile has no function '${words.get("fn")}'.`)); return; }
	const file = side.files[owner.file], chosen = words.get("path");
	content.append(h("h2", {}, owner.name), h("p", {}, file ? link({ file: file.path, line: owner.line }, `${file.shown}:${owner.line}`) : "",
		side.counted ? ` · ${share(owner.instructions, side.instructions)} of the work · ` : " · ", `${owner.entries === 0 ? "never called" : owner.entries === undefined ? "calls not counted" : `called ${count(owner.entries)} times`} · `,
		owner.paths_known ? `${count(owner.ran ?? 0)} of ${count(owner.possible)} possible paths ran · ` : "", link({ graph: owner.name }, "graph")));
	if (owner.name !== owner.linker) content.append(h("p", { class: "faint mono" }, owner.linker));
	if (owner.paths?.length) {
		const first = owner.paths.findIndex(path => String(path[0]) === chosen), order = [...owner.paths];
		if (first > 0) order.unshift(...order.splice(first, 1));
		content.append(h("h2", {}, first >= 0 ? nameOf(owner, order[0]) : "Paths"));
		const place = h("div"), more = h("button", {}, "Show more paths");
		let shown = 0;
		const add = async amount => {
			for (const path of order.slice(shown, shown + amount)) place.append(await pathCard(side, owner, [path], { rank: ++shown }));
			more.hidden = shown >= order.length;
		};
		more.addEventListener("click", () => add(20));
		await add(first >= 0 ? 1 : 8);
		content.append(place, more);
		if (owner.ran > owner.paths.length) content.append(nothing(`The page holds the ${count(owner.paths.length)} hottest of ${count(owner.ran)} paths.`));
		onKey("n", "next path", () => go({ fn: owner.name, path: order[1]?.[0] ?? order[0][0] }));
		stepThroughCards();
	} else content.append(nothing(owner.entries === 0 ? "It never ran." : "Its paths were not counted."));
	content.append(h("h2", {}, "Callers"), callers(side, owner), h("h2", {}, "Calls"), callees(side, owner));
}

addView("function", null, drawFunction);
