// The data of the page: blocks that are unpacked when they are needed.
import { visible } from "./text.js";

// What the items of a path start with (src/html/paths.h).
export const INLINED = 1;
export const DECISION = 2;
export const BLOCKS = 3;

async function unpack(id) {
	const element = document.getElementById(id);
	if (!element) return null;
	const packed = Uint8Array.from(atob(element.textContent), character => character.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(stream).json();
}

// One profile. Names of functions may stand for several; `number` is its place in the profile.
class Side {
	constructor(data, prefix) {
		Object.assign(this, data);
		this.prefix = prefix;
		this.texts = new Map();
		this.files = data.files.map(([path, own, state, ran, never, unknown], number) =>
			({ path, own: own === 1, state, ran, never, unknown, number, shown: this.shorten(path) }));
		this.functions.forEach((each, number) => { each.number = number; });
		this.counted = this.functions.some(each => each.entries !== undefined || each.paths_known);
	}

	shorten(path) {
		return visible(this.root && path.startsWith(this.root) ? path.slice(this.root.length) : path);
	}

	// Counts by line, and the lines of text; each is null if it is not known.
	file(number) {
		if (!this.texts.has(number))
			this.texts.set(number, unpack(`${this.prefix}-${number}`).then(data => {
				const counts = new Map();
				for (let i = 0; data && i < data.counts.length; i += 3)
					counts.set(data.counts[i], { count: data.counts[i + 1], state: data.counts[i + 2] });
				return { counts, text: data?.text ?? null };
			}));
		return this.texts.get(number);
	}

	find(name) {
		return this.functions.find(each => each.name === name) ?? this.functions.find(each => each.linker === name);
	}

	findFile(path) {
		return this.files.find(each => each.path === path || each.shown === path);
	}

	// Calls turned around: by number of the callee.
	get callers() {
		if (this.turned) return this.turned;
		this.turned = new Map();
		for (const caller of this.functions)
			for (const [callee, file, line, least, most] of caller.calls ?? []) {
				if (typeof callee !== "number") continue;
				if (!this.turned.has(callee)) this.turned.set(callee, []);
				this.turned.get(callee).push({ caller, file, line, least, most });
			}
		return this.turned;
	}

	// Branches by file and line, added up over the functions that have code of them.
	get branches() {
		if (this.byLine) return this.byLine;
		this.byLine = new Map();
		for (const each of this.functions)
			for (const [file, line, column, condition, arms] of each.branches)
				if (condition || arms.some(([outcome]) => !outcome.startsWith("→")))
					this.addBranch(file, line, column, condition, arms);
		return this.byLine;
	}

	addBranch(file, line, column, condition, arms) {
		const place = `${file}:${line}`;
		if (!this.byLine.has(place)) this.byLine.set(place, new Map());
		const here = this.byLine.get(place);
		if (!here.has(column)) here.set(column, { column, condition, arms: new Map() });
		const sums = here.get(column).arms;
		for (const [outcome, times] of arms)
			sums.set(outcome, times === null ? null : (sums.get(outcome) ?? 0) + times);
	}

	// The functions with paths through a file, and of each path the lines there.
	pathsIn(file) {
		this.byFile ??= new Map();
		if (!this.byFile.has(file)) {
			const found = [];
			for (const owner of this.functions)
				(owner.paths ?? []).forEach((path, index) => {
					const lines = linesOf(owner, path, file);
					if (lines.size > 0) found.push({ owner, path, index, lines });
				});
			found.sort((left, right) => right.path[2] - left.path[2]);
			this.byFile.set(file, found);
		}
		return this.byFile.get(file);
	}

	totals() {
		const sum = { ran: 0, never: 0, unknown: 0, arms: 0, taken: 0, paths: 0, possible: 0, files: 0 };
		for (const file of this.files) {
			if (!file.own) continue;
			sum.files++;
			sum.ran += file.ran; sum.never += file.never; sum.unknown += file.unknown;
		}
		for (const [place, columns] of this.branches) {
			if (!this.files[place.split(":")[0]]?.own) continue;
			for (const { arms } of columns.values())
				for (const times of arms.values()) { sum.arms++; sum.taken += times ? 1 : 0; }
		}
		for (const each of this.functions) { sum.paths += each.ran ?? 0; sum.possible += each.possible; }
		return sum;
	}
}

// The lines of a path in a file.
export function linesOf(owner, path, file) {
	const lines = new Set();
	for (const item of path[3]) {
		if (item[0] <= INLINED && item[1] === file) for (let i = 2; i < item.length; i++) lines.add(item[i]);
		if (item[0] === DECISION) {
			const branch = owner.branches[item[1]];
			if (branch[0] === file && branch[1]) lines.add(branch[1]);
		}
	}
	return lines;
}

export function nameOf(owner, path) {
	return `${owner.name}#${path[0]}`;
}

// What else could happen at a decision: the other arms, each with the path that is most often taken
// there by those that came the same way.
export function otherArms(owner, path, index) {
	const decisions = each => each[3].filter(item => item[0] === DECISION);
	const same = (left, right) => left && right && left[1] === right[1] && left[2] === right[2];
	const mine = decisions(path), [, branch, arm] = mine[index];
	return owner.branches[branch][4].map(([outcome, times, line], number) => {
		const like = owner.paths.find(other => {
			const theirs = decisions(other);
			return theirs[index]?.[1] === branch && theirs[index][2] === number &&
				mine.slice(0, index).every((item, place) => same(item, theirs[place]));
		});
		return { outcome, times, line, number, path: like, taken: number === arm };
	}).filter(other => !other.taken);
}

export const model = { sides: [], comparison: null };

export async function load() {
	for (const prefix of ["a", "b"]) {
		const data = await unpack(prefix);
		if (data) model.sides.push(new Side(data, prefix));
	}
	model.comparison = await unpack("comparison");
	model.side = model.sides.at(-1);
	model.before = model.sides.length > 1 ? model.sides[0] : null;
	return model;
}
