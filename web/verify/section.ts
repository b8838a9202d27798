import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Step } from "../state/state.js";
import type { Against } from "../state/verify.js";
import { runForm } from "./run_form.js";
import { verifiedCard } from "./verified_card.js";
import { kAgainst, kVerifyWords } from "./words.js";

/** The section of a step's result that verifies it: does it compute the same as the previous step? */
export function verifySection(app: App, step: Step) {
  if (step.about.nodes === 0) return nothing;
  const verified = step.verified?.against === "other" ? null : step.verified;
  return html`
    <section class="verify" aria-labelledby="verify-title">
      <h3 id="verify-title">${kVerifyWords.title}</h3>
      ${verified ? nothing : html`<p class="muted small">${kVerifyWords.about}</p>`}
      <div class="buttons">
        ${verifyButton(app, "before")}
        ${app.state.at > 1 ? verifyButton(app, "opened") : nothing}
      </div>
      ${verified ? verifiedCard(app, step, verified) : nothing}
      ${runForm(app, step)}
    </section>`;
}

export function verifyButton(app: App, against: Against, possible = true) {
  return html`
    <button type="button" class="button" ?disabled=${app.state.busy !== null || !possible} @click=${() => app.verbs.verify(against)}>
      ${kAgainst[against].button}</button>`;
}
