import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { diagnosticList } from "../findings/diagnostics.js";
import type { Step } from "../state/state.js";
import { openTabs } from "../state/tabs.js";
import { flipped, labelOf } from "../tools/options.js";
import { formsOf, hasArrays } from "../tools/forms.js";
import { kForms, kVerbs, kWords, type FormName } from "../words/words.js";
import { downloads } from "./downloads.js";
import { optionFields } from "./option_fields.js";

/** The model in another form: the forms to choose from, and the files once they are made. */
export function savePanel(app: App, step: Step) {
  const { saved } = step;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void app.saving.save(new FormData(event.target as HTMLFormElement).get("form") as FormName);
  };
  return html`
    <div class="columns">
      <div class="column">
        <p class="about">${kVerbs.save.about}</p>
        <form class="save-card" @submit=${save}>
          <div class="field">
            <label for="form">${kWords.format}</label>
            <select id="form" name="form">
              ${formsOf(step.about).map((form) => html`<option value=${form}>${kForms[form].label}</option>`)}
            </select>
          </div>
          <button type="submit" class="button primary apply" ?disabled=${app.state.busy !== null}>${kWords.export}</button>
        </form>
      </div>
      <div class="column">${hasArrays(step.about) ? html`${optionFields(app, step, "save", kWords.ofWeights)} ${together(app, step)}` : nothing}</div>
      <div class="column">
        ${
          saved
            ? html`
          <h3 id="save-title" tabindex="-1">${kWords.exported}</h3>
          ${downloads(app, [saved.form])} ${diagnosticList(saved.remarks)}`
            : nothing
        }
      </div>
    </div>`;
}

// Other open models, whose weights are saved as well; or the mean of all.
function together(app: App, { choice }: Step) {
  const tabs = openTabs(app.state).filter(({ tab }) => tab !== app.state.tab);
  if (tabs.length === 0) return nothing;
  const change = (tab: number) => () => app.choices.change({ together: flipped(choice.together, tab) });
  const average = () => app.choices.change({ flags: flipped(choice.flags, "average") });
  return html`
    <fieldset class="options">
      <legend>${kWords.together}</legend>
      <ul class="flags">
        ${tabs.map(({ tab, name }) => html`<li><label class="flag"><input type="checkbox" .checked=${choice.together.has(tab)} @change=${change(tab)}> <code>${name}</code></label></li>`)}
        ${choice.together.size === 0 ? nothing : html`<li><label class="flag"><input type="checkbox" .checked=${choice.flags.has("average")} @change=${average}> ${labelOf("average")}</label></li>`}
      </ul>
    </fieldset>`;
}
