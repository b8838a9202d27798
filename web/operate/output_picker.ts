import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Endpoint } from "../engine/engine.js";
import type { Step } from "../state/state.js";
import { counted } from "../ui/format.js";
import { shape } from "../words/format.js";
import { kWords } from "../words/words.js";
import { textField } from "./option_fields.js";

const kFirst = 4;

/** The outputs of the kept graph: likely ones to select, and a field for others. */
export function outputPicker(app: App, step: Step) {
  const { outputs, outputsCertain } = step.about;
  const known = outputsCertain ? kWords.outputsCertain : kWords.outputsGuessed;
  const first = Math.max(kFirst, outputs.filter(({ chosen }) => chosen).length);
  const rest = outputs.slice(first);
  return html`
    <fieldset class="outputs-picker">
      <legend>${kWords.outputsToKeep}</legend>
      <p class="muted small">${outputs.length === 0 ? kWords.outputsNone : known}</p>
      <ul class="choices">${outputs.slice(0, first).map((each) => box(app, step, each))}${others(app, step)}</ul>
      ${
        rest.length === 0
          ? nothing
          : html`
        <details class="fold">
          <summary>${counted(rest.length, "less likely output")}</summary>
          <ul class="choices">${rest.map((each) => box(app, step, each))}</ul>
        </details>`
      }
      ${textField(app, step, { key: "more", label: kWords.otherOutputs, hint: kWords.otherHint })}
    </fieldset>`;
}

// The outputs that were chosen in the inspector.
function others(app: App, { about, choice }: Step) {
  const known = new Set(about.outputs.map(({ name }) => name));
  return [...choice.outputs]
    .filter((name) => !known.has(name))
    .map(
      (name) => html`
    <li><label class="choice"><input type="checkbox" checked @change=${() => tick(app, name, false)}><code>${name}</code></label></li>`,
    );
}

function box(app: App, { choice }: Step, endpoint: Endpoint) {
  const { name } = endpoint;
  return html`
    <li>
      <label class="choice">
        <input type="checkbox" .checked=${choice.outputs.has(name)}
          @change=${({ target }: Event) => tick(app, name, (target as HTMLInputElement).checked)}>
        ${tensor(endpoint)}
      </label>
    </li>`;
}

function tick(app: App, name: string, on: boolean): void {
  const outputs = new Set(app.step!.choice.outputs);
  if (on) outputs.add(name);
  else outputs.delete(name);
  app.choices.change({ outputs });
}

// A tensor: its name, type and shape, and why it is shown.
function tensor({ name, dtype, shape: size, why }: Endpoint) {
  return html`
    <span class="tensor">
      <code>${name}</code> <span class="type">${dtype ?? "unknown type"} ${shape(size)}</span>
      <span class="why">${why}</span>
    </span>`;
}
