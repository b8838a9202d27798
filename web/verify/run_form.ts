import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Step } from "../state/state.js";
import type { Run } from "../state/verify.js";
import { filePicker } from "../ui/file_picker.js";
import { shape } from "../words/format.js";
import { inputsOf, onWhat, type RunInput, ungiven } from "./run.js";
import { kRanges, kVerifyWords } from "./words.js";

/** The inputs of both models: random numbers from a seed, or a file for each; and the tolerance. */
export function runForm(app: App, step: Step) {
  const inputs = inputsOf(step);
  const { given } = app.state.run;
  return html`
    <details class="fold run">
      <summary>${kVerifyWords.runsOn} ${onWhat(inputs, app.state.run)}</summary>
      <ul class="given">${inputs.map((input) => inputRow(app, input))}</ul>
      <div class="run-fields">
        ${field(app, "seed", kVerifyWords.seed)}
        ${field(app, "tolerance", kVerifyWords.tolerance, kVerifyWords.toleranceHint)}
        ${inputs.some(({ name }) => given[name]?.picture) ? imageFields(app) : nothing}
      </div>
    </details>`;
}

// Files that are dropped on a row are for its input.
function inputRow(app: App, input: RunInput) {
  const { name, dtype, shape: size, optional } = input;
  const given = app.state.run.given[name];
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    app.drag(false);
    void app.verbs.setInputFile(name, file);
  };
  return html`
    <li @drop=${drop}><div role="group" aria-label=${name}>
      <p><code>${name}</code> <span class="muted small">${dtype} ${shape(size)}</span></p>
      <p class="small given-file">${given?.picture ? html`<img src=${given.picture} alt="">` : nothing}${given?.name ?? ungiven(input)}</p>
      <div class="buttons">
        ${filePicker({ label: kVerifyWords.chooseFile, folder: false, primary: false, name: `given-${name}` }, ([file]) => app.verbs.setInputFile(name, file!))}
        ${given ? html`<button type="button" class="button quiet" @click=${() => app.verbs.setInputFile(name, null)}>${optional ? kVerifyWords.defaultAgain : kVerifyWords.randomAgain}</button>` : nothing}
      </div>
    </div></li>`;
}

function imageFields(app: App) {
  const { mean, scale } = app.state.run;
  return html`
    <div class="field ranges" role="group" aria-label=${kVerifyWords.ranges}>
      ${kRanges.map(
        ([label, from, by]) => html`
        <button type="button" class="button small" aria-pressed=${Number(mean) === from && Number(scale) === by}
          @click=${() => change(app, { mean: String(from), scale: String(by) })}>${label}</button>`,
      )}
    </div>
    ${field(app, "mean", kVerifyWords.mean)}
    ${field(app, "scale", kVerifyWords.scale, kVerifyWords.scaleHint)}`;
}

function field(app: App, key: "seed" | "tolerance" | "mean" | "scale", label: string, hint = "") {
  return html`
    <div class="field">
      <label for="run-${key}">${label}</label>
      <input id="run-${key}" type="number" step=${key === "seed" ? "1" : "any"} autocomplete="off" aria-describedby=${hint ? `run-${key}-hint` : nothing}
        .value=${app.state.run[key]} @input=${(event: Event) => change(app, { [key]: (event.target as HTMLInputElement).value })}>
      ${hint ? html`<p id="run-${key}-hint" class="hint">${hint}</p>` : nothing}
    </div>`;
}

function change(app: App, some: Partial<Run>): void {
  app.set({ run: { ...app.state.run, ...some } });
}
