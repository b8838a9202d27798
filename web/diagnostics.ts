import { html, nothing } from "lit";
import type { Diagnostic } from "./engine.js";
import { counted } from "./format.js";
import { fix, kSeverities, kWords, place } from "./words.js";

const kMost = 20;
const kSymbols = { error: "!", warning: "!", note: "i" };

/** What is to be known: what is wrong, where, and what to do. Severity is a word and a sign, never a colour alone. */
export function diagnosticList(list: readonly Diagnostic[]) {
  if (list.length === 0) return nothing;
  return html`
    <ul class="diagnostics">
      ${list.slice(0, kMost).map(one)}
      ${list.length > kMost ? html`<li class="muted">… and ${counted(list.length - kMost, "more", "more")}</li>` : nothing}
    </ul>`;
}

function one(diagnostic: Diagnostic) {
  const { severity, message, code } = diagnostic;
  const [where, what] = [place(diagnostic), fix(diagnostic)];
  return html`
    <li class="diagnostic ${severity}">
      <span class="sign" aria-hidden="true">${kSymbols[severity]}</span>
      <div>
        <p><span class="severity">${kSeverities[severity]}</span> ${message}</p>
        ${what ? html`<p class="fix">${kWords.whatToDo}${what}</p>` : nothing}
        <p class="where">${where ? html`<span>${where}</span>` : nothing}<code>${code}</code></p>
      </div>
    </li>`;
}
