import { html } from "lit";
import type { App } from "./app.js";
import type { InspectReport, Pass } from "./engine.js";
import { outputPicker } from "./output_picker.js";
import type { Step } from "./state.js";
import { kVerbs, kWords } from "./words.js";

type Verb = Pass | "validate";

// By where the weights are.
const kOrders: Record<InspectReport["weights"], Verb[]> = {
  checkpoint: ["freeze", "prune", "validate", "unfreeze"],
  constants: ["unfreeze", "prune", "validate"],
  variables: ["prune", "validate", "freeze"],
  none: ["prune", "validate"],
};

/** What can be done with a model, the likeliest first. */
export function actionsCard(app: App, step: Step) {
  const verbs = kOrders[step.about.weights];
  return html`
    <section class="card actions-card" aria-label=${kWords.doIt}>
      ${outputPicker(app, step)}
      <div class="verbs">${verbs.map((verb, i) => button(app, verb, i === 0))}</div>
    </section>`;
}

function button(app: App, verb: Verb, primary: boolean) {
  const { label, about } = kVerbs[verb];
  const run = () => void (verb === "validate" ? app.validate() : app.pass(verb));
  return html`
    <button type="button" class="verb ${primary ? "primary" : ""}" ?disabled=${app.state.busy !== null} @click=${run}>
      <span>${label}</span><small>${about}</small>
    </button>`;
}
