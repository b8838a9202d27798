import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { bytes, counted } from "../ui/format.js";
import { sizeOf } from "../words/files.js";
import { isWeightsAlone, kWords } from "../words/words.js";
import { changeCard } from "./change_card.js";

/** The steps from the opened model to the current one. Every step keeps its model. */
export function historyBar(app: App) {
  const { steps, at, pointed } = app.state;
  const point =
    (i: number) =>
    ({ currentTarget }: Event) => {
      const chip = currentTarget as HTMLElement;
      app.comparison.show(i, chip.getBoundingClientRect().left - chip.closest("nav")!.getBoundingClientRect().left);
    };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !pointed) return;
    event.stopPropagation(); // it ends nothing
    app.comparison.hide();
  };
  return html`
    <nav class="history" aria-label=${kWords.history} @mouseleave=${() => app.comparison.hide()} @keydown=${key}>
      <div class="undo">
        <button type="button" class="icon" aria-label=${kWords.undo} title=${kWords.undo} ?disabled=${at === 0} @click=${() => app.history.goTo(at - 1)}>${undo}</button>
        <button type="button" class="icon flip" aria-label=${kWords.redo} title=${kWords.redo} ?disabled=${at === steps.length - 1}
          @click=${() => app.history.goTo(at + 1)}>${undo}</button>
      </div>
      <ol class="steps">
        ${steps.map(
          (step, i) => html`
          <li>
            <button type="button" aria-current=${i === at ? "step" : "false"} aria-describedby=${step.id === pointed?.id ? "change-card" : nothing}
              @mouseenter=${point(i)} @focus=${point(i)} @blur=${() => app.comparison.hide()} @click=${() => app.history.goTo(i)}>
              <span>${step.title}</span><small>${isWeightsAlone(step.about) ? counted(step.about.variables.count, "variable") : counted(step.about.nodes, "node")}, ${bytes(sizeOf(step))}</small>
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
