// Views and the addresses that lead to them. An address is the part behind #: `fn=NAME&path=ID`.
import { h } from "./text.js";

const views = new Map();
export const main = document.getElementById("main");

// A view: its title in the tabs (null: no tab), and what draws it. It gets the address's words.
export function addView(name, title, draw, wanted = () => true) {
	views.set(name, { title, draw, wanted });
}

export function address(words) {
	return "#" + new URLSearchParams(words).toString();
}

export function link(words, text, attributes) {
	return h("a", { href: address(words), ...attributes }, text);
}

export function go(words) {
	location.hash = address(words);
}

export function say(text) {
	const said = document.getElementById("said");
	said.textContent = text;
	clearTimeout(say.timer);
	say.timer = setTimeout(() => { said.textContent = ""; }, 4000);
}

export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = h("textarea", { "aria-label": "copied text" });
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	say("Copied as text");
}

function viewOf(words) {
	const asked = [["function", "fn"], ["source", "file"], ["graph", "graph"]].find(([, key]) => words.has(key))?.[0] ?? words.get("view");
	return views.get(asked)?.wanted() || (asked && views.get(asked)?.title === null) ? asked : "overview";
}

function drawTabs(current) {
	const tabs = document.getElementById("tabs");
	tabs.replaceChildren();
	for (const [name, view] of views)
		if (view.title && view.wanted())
			tabs.append(h("a", { href: address({ view: name }), "aria-current": name === current ? "page" : null }, view.title));
}

let drawn = 0;

async function draw() {
	const words = new URLSearchParams(location.hash.slice(1)), name = viewOf(words), mine = ++drawn;
	drawTabs(name);
	keys.length = 0;
	const content = h("div");
	const fixed = await views.get(name).draw(content, words);
	if (mine !== drawn) return;
	main.className = fixed ? "fixed" : "";
	main.replaceChildren(...content.childNodes);
	main.scrollTop = 0;
	fixed?.();
	document.body.dataset.view = name;
}

// What single keys do in the present view: { key, about, run }.
export const keys = [];

export function onKey(key, about, run) {
	keys.push({ key, about, run });
}

function showHelp() {
	const dialog = document.getElementById("help");
	const rows = [...keys, { key: "/", about: "go to the filter" }, { key: "?", about: "show this list" }, { key: "Esc", about: "leave" }];
	dialog.replaceChildren(h("h2", { id: "help-title" }, "Keys"),
		h("dl", {}, rows.map(row => [h("dt", {}, row.key), h("dd", {}, row.about)])),
		h("button", { onclick: () => dialog.close() }, "Close"));
	dialog.showModal();
}

function onKeyDown(event) {
	const typing = event.target.closest("input, select, textarea");
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	if (event.key === "Escape" && typing) typing.blur();
	if (typing) return;
	const filter = main.querySelector("input[type=search]");
	const action = keys.find(each => each.key === event.key);
	if (action) action.run();
	else if (event.key === "?") showHelp();
	else if (event.key === "/" && filter) filter.focus();
	else return;
	event.preventDefault();
}

export function start() {
	addEventListener("hashchange", draw);
	addEventListener("keydown", onKeyDown);
	return draw();
}
