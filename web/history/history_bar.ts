import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import { bytes, counted } from "../words/format.js";
import { isWeightsAlone, kWords } from "../words/words.js";
import { changeCard } from "./change_card.js";

/** The way here: the model opened, and one for each thing done. Every step keeps the model before it. */
export function historyBar(app: App) {
  const { steps, at, pointed } = app.state;
  const point =
    (i: number) =>
    ({ currentTarget }: Event) => {
      const chip = currentTarget as HTMLElement;
      app.changes.show(i, chip.getBoundingClientRect().left - chip.closest("nav")!.getBoundingClientRect().left);
    };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !pointed) return;
    event.stopPropagation(); // it ends nothing
    app.changes.hide();
  };
  return html`
    <nav class="history" aria-label=${kWords.history} @mouseleave=${() => app.changes.hide()} @keydown=${key}>
      <div class="undo">
        <button type="button" class="icon" aria-label=${kWords.undo} title=${kWords.undo} ?disabled=${at === 0} @click=${() => app.goTo(at - 1)}>${undo}</button>
        <button type="button" class="icon flip" aria-label=${kWords.redo} title=${kWords.redo} ?disabled=${at === steps.length - 1}
          @click=${() => app.goTo(at + 1)}>${undo}</button>
      </div>
      <ol class="steps">
        ${steps.map(
          ({ id, title, about }, i) => html`
          <li>
            <button type="button" aria-current=${i === at ? "step" : "false"} aria-describedby=${id === pointed?.id ? "change-card" : nothing}
              @mouseenter=${point(i)} @focus=${point(i)} @blur=${() => app.changes.hide()} @click=${() => app.goTo(i)}>
              <span>${title}</span><small>${isWeightsAlone(about) ? counted(about.variables.count, "variable") : counted(about.nodes, "node")}, ${bytes(about.bytes)}</small>
            </button>
          </li>`,
        )}
      </ol>
      ${
        at === 0
          ? nothing
          : html`
        <button type="button" class="button small" @click=${() => app.set({ dialog: "recipe" })}>${kWords.recipe}</button>`
      }
      ${changeCard(app)}
    </nav>`;
}

const undo = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 3L3 6.5 6.5 10M3.4 6.5H10a3 3 0 0 1 0 6H7" /></svg>`;
