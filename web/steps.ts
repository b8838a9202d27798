import { html } from "lit";
import type { App } from "./app.js";
import { bytes, counted } from "./format.js";
import { kWords } from "./words.js";

/** The way here: the model opened, and one for each thing done. */
export function stepList(app: App) {
  const { steps, at } = app.state;
  return html`
    <nav class="card steps-card" aria-labelledby="steps-title">
      <h2 id="steps-title">${kWords.steps}</h2>
      <ol class="steps">
        ${steps.map(({ title, about }, i) => html`
          <li>
            <button type="button" aria-current=${i === at ? "step" : "false"} @click=${() => app.goTo(i)}>
              <span>${title}</span><small>${counted(about.nodes, "node")}, ${bytes(about.bytes)}</small>
            </button>
          </li>`)}
      </ol>
      <p class="muted small">${kWords.stepsAbout}</p>
    </nav>`;
}
