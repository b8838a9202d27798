import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Endpoint, InspectReport } from "../engine/engine.js";
import { otherSlot } from "../open/other_slot.js";
import type { Choice, Step } from "../state/state.js";
import { secondOf } from "../state/tabs.js";
import { labelOf } from "../tools/options.js";
import { dragTensor } from "../ui/tensor_drag.js";
import { shape } from "../words/format.js";
import { kWords } from "../words/words.js";
import { textField } from "./option_fields.js";

/** Edit's second model: what of it feeds which input of this one, and the other way round. */
export function joinPanel(app: App, step: Step) {
  const second = secondOf(app.state);
  const { ours, theirs } = step.choice.fed;
  const isOpen = second !== null || Object.keys({ ...ours, ...theirs }).length > 0;
  return html`
    <details class="fold join" ?open=${isOpen}>
      <summary>${kWords.join}</summary>
      <p class="muted small">${kWords.joinAbout}</p>
      ${otherSlot(app, kWords.secondModel)}
      ${
        second
          ? html`
        ${tensorChips(second.about.outputs)}
        <fieldset class="fed">
          <legend>${labelOf("connect")}</legend>
          ${names("tensors-of-second", second.about.outputs)} ${names("tensors-of-first", step.about.outputs)}
          ${step.about.inputs.map((input) => feedField(app, step, "ours", input))}
          ${inputsToFeed(second.about, theirs).map((input) => feedField(app, step, "theirs", input))}
        </fieldset>
        ${textField(app, step, { key: "scope", label: labelOf("scope"), hint: kWords.scopeHint })}`
          : nothing
      }
    </details>`;
}

// The inputs of the second model, and what was filled in for another one: it can be cleared.
function inputsToFeed({ inputs }: InspectReport, fed: Choice["fed"]["theirs"]) {
  const known = new Set(inputs.map(({ name }) => name));
  const others = Object.keys(fed).filter((name) => !known.has(name));
  return [...inputs, ...others.map((name) => ({ name, dtype: kWords.noSuchInput, shape: null }))];
}

// The outputs, to be dragged; the fields below take the same names from the keyboard.
function tensorChips(outputs: readonly Endpoint[]) {
  return html`
    <p class="muted small">${kWords.outputsOfSecond}</p>
    <ul class="tensor-chips">${outputs.map(({ name }) => html`<li draggable="true" @dragstart=${(event: DragEvent) => dragTensor(event, name)}><code>${name}</code></li>`)}</ul>`;
}

function names(id: string, outputs: readonly Endpoint[]) {
  return html`<datalist id=${id}>${outputs.map(({ name }) => html`<option value=${name}></option>`)}</datalist>`;
}

type Input = Pick<Endpoint, "name" | "shape"> & { dtype: string };

function feedField(app: App, step: Step, whose: keyof Choice["fed"], { name, dtype, shape: size }: Input) {
  const id = `fed-${whose}-${name}`;
  const ours = whose === "ours";
  return html`
    <div class="field">
      <label for=${id}><code>${name}</code> <span class="muted small">${dtype} ${shape(size)}${ours ? "" : `, ${kWords.ofSecond}`}</span></label>
      <input id=${id} type="text" list=${ours ? "tensors-of-second" : "tensors-of-first"} placeholder=${kWords.staysInput} spellcheck="false" autocapitalize="off"
        autocomplete="off" .value=${step.choice.fed[whose][name] ?? ""} @input=${({ target }: Event) => app.choices.feed(whose, name, (target as HTMLInputElement).value)}>
    </div>`;
}
