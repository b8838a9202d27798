import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Step, Tool } from "../state/state.js";
import type { Field } from "../tools/fields.js";
import { fieldsOf, flipped, isTrainingGraph } from "../tools/options.js";
import { kWords } from "../words/words.js";

/** The options of a tool, but for outputs. Texts and choices first, then flags. */
export function optionFields(app: App, step: Step, tool: Tool, legend = kWords.moreOptions) {
  const fields = fieldsOf(tool);
  const typed = fields.filter(({ kind }) => kind !== "flag");
  const flags = fields.filter((field) => field.kind === "flag" && !isSuggested(step, field));
  if (fields.length === 0) return nothing;
  return html`
    <fieldset class="options">
      <legend>${legend}</legend>
      ${typed.map((field) => (field.kind === "choice" ? select(app, step, field) : textField(app, step, field)))}
      ${flags.length === 0 ? nothing : html`<ul class="flags">${flags.map((field) => flagBox(app, step, field))}</ul>`}
    </fieldset>`;
}

/** The option that makes a training graph ready to serve, before the others. */
export function suggestedOption(app: App, step: Step, tool: Tool) {
  const field = fieldsOf(tool).find((each) => isSuggested(step, each));
  if (!field) return nothing;
  return html`
    <div class="suggestion" role="group" aria-labelledby="suggestion-title">
      <p id="suggestion-title" class="small">${kWords.trainingGraph}</p>
      <ul class="flags">${flagBox(app, step, field)}</ul>
    </div>`;
}

function isSuggested({ about }: Step, { key }: Field): boolean {
  return key === "inference" && isTrainingGraph(about);
}

export function textField(app: App, step: Step, { key, label, hint }: Pick<Field, "key" | "label" | "hint">) {
  return html`
    <div class="field">
      <label for="option-${key}">${label}</label>
      <input id="option-${key}" type="text" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="hint-${key}"
        .value=${step.choice.texts[key] ?? ""} @input=${(event: Event) => setText(app, key, event)}>
      <p id="hint-${key}" class="hint">${hint}</p>
    </div>`;
}

function select(app: App, step: Step, { key, label, known = [] }: Field) {
  return html`
    <div class="field">
      <label for="option-${key}">${label}</label>
      <select id="option-${key}" @change=${(event: Event) => setText(app, key, event)}>
        ${known.map(([value, text]) => html`<option value=${value} ?selected=${(step.choice.texts[key] ?? "") === value}>${text}</option>`)}
      </select>
    </div>`;
}

function flagBox(app: App, { choice }: Step, { key, label }: Field) {
  const change = () => app.choices.change({ flags: flipped(choice.flags, key) });
  return html`<li><label class="flag"><input type="checkbox" .checked=${choice.flags.has(key)} @change=${change}> ${label}</label></li>`;
}

function setText(app: App, key: string, { target }: Event): void {
  app.choices.change({ texts: { ...app.step!.choice.texts, [key]: (target as HTMLInputElement).value } });
}
