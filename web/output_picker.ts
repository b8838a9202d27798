import { html, nothing } from "lit";
import type { App } from "./app.js";
import type { Endpoint, PruneOptions } from "./engine.js";
import { counted, names } from "./format.js";
import { tensor } from "./model_card.js";
import type { Choice, Step } from "./state.js";
import { kWords } from "./words.js";

const kFirst = 4;

/** The options that a choice comes to; without outputs the core takes the likeliest and says so. */
export function chosen({ outputs, more, inputs }: Choice): PruneOptions {
  const wanted = [...outputs, ...names(more)];
  const cuts = names(inputs);
  return { ...(wanted.length ? { outputs: wanted } : {}), ...(cuts.length ? { inputs: cuts } : {}) };
}

/** Where the kept graph ends and begins: likely outputs to tick, and fields for others. */
export function outputPicker(app: App, step: Step) {
  const { outputs, outputsCertain } = step.about;
  const known = outputsCertain ? kWords.outputsCertain : kWords.outputsGuessed;
  const rest = outputs.slice(kFirst);
  return html`
    <fieldset class="card picker-card">
      <legend>${kWords.outputsToKeep}</legend>
      <p class="muted">${outputs.length === 0 ? kWords.outputsNone : known}</p>
      <ul class="choices">${outputs.slice(0, kFirst).map((each) => box(app, step, each))}</ul>
      ${rest.length === 0 ? nothing : html`
        <details class="fold">
          <summary>${counted(rest.length, "less likely output")}</summary>
          <ul class="choices">${rest.map((each) => box(app, step, each))}</ul>
        </details>`}
      ${field("more-outputs", kWords.otherOutputs, kWords.otherHint, step.choice.more,
        (more) => app.choose(step, { more }))}
      <details class="fold">
        <summary>${kWords.moreOptions}</summary>
        ${field("new-inputs", kWords.cutInputs, kWords.cutHint, step.choice.inputs,
          (inputs) => app.choose(step, { inputs }))}
      </details>
    </fieldset>`;
}

function box(app: App, step: Step, endpoint: Endpoint) {
  const { name } = endpoint;
  const tick = ({ target }: Event) => {
    const outputs = new Set(step.choice.outputs);
    if ((target as HTMLInputElement).checked) outputs.add(name);
    else outputs.delete(name);
    app.choose(step, { outputs });
  };
  return html`
    <li>
      <label class="choice">
        <input type="checkbox" .checked=${step.choice.outputs.has(name)} @change=${tick}>
        ${tensor(endpoint)}
      </label>
    </li>`;
}

function field(id: string, label: string, hint: string, value: string, change: (value: string) => void) {
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <input id=${id} type="text" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="${id}-hint"
        .value=${value} @input=${({ target }: Event) => change((target as HTMLInputElement).value)}>
      <p id="${id}-hint" class="muted small">${hint}</p>
    </div>`;
}
