import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import type { InspectReport } from "../app/engine.js";
import type { Step } from "../app/state.js";
import { diagnosticList } from "../look/diagnostics.js";
import { optionFields } from "../operate/option_fields.js";
import { isWeightsAlone, kForms, kVerbs, kWords, type FormName } from "../words/words.js";
import { downloads } from "./downloads.js";

/** The model in another form: the forms to choose from, and the files once they are made. */
export function savePanel(app: App, step: Step) {
  const { saved } = step;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void app.save(new FormData(event.target as HTMLFormElement).get("form") as FormName);
  };
  return html`
    <div class="columns">
      <div class="column">
        <p class="about">${kVerbs.save.about}</p>
        <form class="save-card" @submit=${save}>
          <div class="field">
            <label for="form">${kWords.form}</label>
            <select id="form" name="form">
              ${formsOf(step.about).map((form) => html`<option value=${form}>${kForms[form].label}</option>`)}
            </select>
          </div>
          <button type="submit" class="button primary apply" ?disabled=${app.state.busy !== null}>${kWords.prepare}</button>
        </form>
      </div>
      <div class="column">${hasArrays(step.about) ? optionFields(app, step, "save", kWords.ofWeights) : nothing}</div>
      <div class="column">
        ${saved ? html`
          <h3 id="save-title" tabindex="-1">${kWords.prepared}</h3>
          ${downloads(app, [saved.form])} ${diagnosticList(saved.remarks)}` : nothing}
      </div>
    </div>`;
}

function hasArrays({ weights }: InspectReport): boolean {
  return weights === "checkpoint" || weights === "constants";
}

/** The forms that a model can be saved in. */
export function formsOf(about: InspectReport): FormName[] {
  const { variables } = about;
  const names = Object.keys(kForms) as FormName[];
  return names.filter((name) => {
    const { arrays, as } = kForms[name];
    if (arrays) return hasArrays(about);
    return !isWeightsAlone(about) && (as !== "checkpoint" || variables.count > 0);
  });
}
