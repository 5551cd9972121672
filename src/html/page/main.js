// Unpacks the data and shows the first view.
import { h } from "./text.js";
import { load } from "./model.js";
import { main, start } from "./frame.js";

async function run() {
	try {
		const { side, before } = await load();
		const name = side.program.replace(/.*\//, "");
		document.title = before ? `${name}: before and after` : `${name}: what it did`;
		document.getElementById("program").textContent = document.title;
		await start();
		document.body.dataset.ready = "yes";
	} catch (error) {
		main.replaceChildren(h("p", { class: "note" }, `This page cannot be shown: ${error.message}`));
		throw error;
	}
}

run();
