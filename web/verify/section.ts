import { html, nothing } from "lit";
import type { App } from "../app.js";
import type { Step } from "../state.js";
import { runForm } from "./run_form.js";
import type { Against } from "./state.js";
import { verifiedCard } from "./verified_card.js";
import { kAgainst, kVerifyWords } from "./words.js";

/** Of a step's result: whether it computes what the model before computes. */
export function verifySection(app: App, step: Step) {
  if (step.about.nodes === 0) return nothing;
  return html`
    <section class="verify" aria-labelledby="verify-title">
      <h3 id="verify-title">${kVerifyWords.title}</h3>
      <p class="muted small">${kVerifyWords.about}</p>
      <div class="buttons">
        ${verifyButton(app, "before")}
        ${app.state.at > 1 ? verifyButton(app, "opened") : nothing}
      </div>
      ${runForm(app, step)}
      ${step.verified && step.verified.against !== "other" ? verifiedCard(app, step, step.verified) : nothing}
    </section>`;
}

export function verifyButton(app: App, against: Against, possible = true) {
  return html`
    <button type="button" class="button" ?disabled=${app.state.busy !== null || !possible} @click=${() => app.verify(against)}>
      ${kAgainst[against].button}</button>`;
}
