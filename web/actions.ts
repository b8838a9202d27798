import { html, nothing } from "lit";
import type { App } from "./app.js";
import type { InspectReport, Pass } from "./engine.js";
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
  const verbs = step.about.kind === "checkpoint" ? [] : kOrders[step.about.weights];
  if (verbs.length === 0) return nothing;
  return html`
    <section class="card verbs" aria-label=${kWords.doIt}>
      ${verbs.map((verb, i) => button(app, verb, i === 0))}
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
