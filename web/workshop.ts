// All that is shown of an open model, and verify: a file of the page that load_workshop.ts loads.
import { html } from "lit";
import type { App } from "./actions/app.js";
import { historyBar } from "./history/history_bar.js";
import { operatePane } from "./operate/operate.js";
import { contentsPane } from "./panes/contents_pane.js";
import { inspectorPane } from "./panes/inspector.js";
import { modelPane } from "./panes/model_card.js";
import type { Step } from "./state/state.js";
import { kWords } from "./words/words.js";

export { unpack } from "../wasm/package/entries/page_later.js";
export { otherSlot } from "./open/other_slot.js";
export { givenFrom } from "./verify/given.js";
export { run } from "./verify/run.js";
export { kMeanings, outcome } from "./verify/words.js";

/** The panes of an open model. */
export function workshop(app: App, step: Step) {
  return html`
    <h1 class="visually-hidden">${kWords.name}</h1>
    <div class="panes">${modelPane(app, step)} ${contentsPane(app, step)} ${inspectorPane(app, step)}</div>
    <div class="dock">${operatePane(app, step)} ${historyBar(app)}</div>`;
}
