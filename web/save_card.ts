import { html, nothing } from "lit";
import type { App } from "./app.js";
import { diagnosticList } from "./diagnostics.js";
import { downloads } from "./downloads.js";
import type { InspectReport } from "./engine.js";
import type { Step } from "./state.js";
import { kForms, kWords, type FormName } from "./words.js";

const kGraphForms: FormName[] = ["pb", "pbtxt", "checkpoint", "savedmodel", "tfjs"];
const kArrayForms: FormName[] = ["npz", "safetensors"];

/** The model in another form: the forms to choose from, and the files once they are made. */
export function saveCard(app: App, step: Step) {
  const forms = formsOf(step.about);
  if (forms.length === 0) return nothing;
  const { saved } = step;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void app.save(new FormData(event.target as HTMLFormElement).get("form") as FormName);
  };
  return html`
    <section class="card save-card" aria-labelledby="save-title">
      <h2 id="save-title" tabindex="-1">${kWords.saveAs}</h2>
      <form @submit=${save}>
        <label class="visually-hidden" for="form">${kWords.form}</label>
        <select id="form" name="form">
          ${forms.map((form) => html`<option value=${form}>${kForms[form].label}</option>`)}
        </select>
        <button type="submit" class="button" ?disabled=${app.state.busy !== null}>${kWords.prepare}</button>
      </form>
      ${saved ? html`${downloads([saved.form])} ${diagnosticList(saved.remarks)}` : nothing}
    </section>`;
}

function formsOf({ kind, weights, variables }: InspectReport): FormName[] {
  const arrays = kind === "checkpoint" || kind === "npz" || kind === "safetensors";
  const graph = arrays ? [] : kGraphForms.filter((form) => form !== "checkpoint" || variables.count > 0);
  return weights === "checkpoint" || weights === "constants" ? [...graph, ...kArrayForms] : graph;
}
