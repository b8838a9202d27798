import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { diagnosticList } from "../findings/diagnostics.js";
import type { Step } from "../state/state.js";
import { kVerbs, kWords, verdict } from "../words/words.js";
import { compatCard } from "./compat_card.js";
import { optionFields } from "./option_fields.js";

/** Every finding, and the repair of those that have exactly one. */
export function validatePanel(app: App, step: Step) {
  const busy = app.state.busy !== null;
  return html`
    <div class="columns">
      <div class="column">
        <p class="about">${kVerbs.validate.about}</p>
        ${optionFields(app, step, "validate")}
        <button type="button" class="button primary apply" ?disabled=${busy} @click=${() => app.verbs.apply()}>${kVerbs.validate.label}</button>
      </div>
      <div class="column broad">
        ${step.verdict ? verdictCard(app, step, busy) : nothing}
        ${compatCard(app, step)}
      </div>
    </div>`;
}

function verdictCard(app: App, { verdict: report }: Step, busy: boolean) {
  const { valid, diagnostics } = report!;
  const sound = report!.sound && report!.warnings === 0;
  const fixable = diagnostics.filter((each) => each.fixable).length;
  return html`
    <section class="verdict ${valid ? (sound ? "good" : "fair") : "bad"}" aria-labelledby="verdict-title">
      <h3 id="verdict-title" tabindex="-1">${verdict(report!)}</h3>
      ${
        fixable === 0
          ? nothing
          : html`
        <p><button type="button" class="button ${sound ? "" : "primary"}" ?disabled=${busy} @click=${() => app.verbs.pass("repair", {})}>${kWords.repair}</button>
          <span class="muted small">Repairs ${fixable} of ${diagnostics.length} ${kWords.repairAbout}.</span></p>`
      }
      ${diagnosticList(diagnostics, (node, body) => void app.browse.goToNode(node, body))}
    </section>`;
}
