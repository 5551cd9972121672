// Numbers and texts as they are shown, and elements. No text ever becomes markup.
const SVG = "http://www.w3.org/2000/svg";
const groups = new Intl.NumberFormat("en-US");

export function count(number) {
	return number === null || number === undefined ? "?" : groups.format(number);
}

export function share(part, whole) {
	if (!whole) return "0.0%";
	const percent = 100 * part / whole;
	if (percent > 0 && percent < 0.05) return "<0.1%";
	return (percent > 99.95 && percent < 100 ? ">99.9" : percent.toFixed(1)) + "%";
}

// Shows what would not be seen, or would lead the eye astray: control characters, and those that
// turn the direction of writing around. Very long lines are cut.
export function visible(text, widest = 600) {
	const cut = text.length > widest ? text.slice(0, widest) + ` … (${count(text.length)} characters)` : text;
	return cut.replace(/\t/g, "    ").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
		character => `\u27e8U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`);
}

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else if (name === "style") for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
		else element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
	return element;
}

export function h(name, attributes, ...children) {
	return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes, ...children) {
	return fill(document.createElementNS(SVG, name), attributes, children);
}

export function bar(part, whole, widest = 80) {
	const width = whole ? Math.max(1, widest * part / whole) : 0;
	return h("span", { class: "bar", style: { width: `${width.toFixed(1)}px` }, "aria-hidden": "true" });
}

export function age(seconds) {
	for (const [unit, length] of [["day", 86400], ["hour", 3600], ["minute", 60]])
		if (seconds >= length) {
			const number = Math.floor(seconds / length);
			return `${number} ${unit}${number === 1 ? "" : "s"}`;
		}
	return `${Math.max(0, seconds)} seconds`;
}
