import { html, nothing } from "lit";
import type { Diagnostic } from "../app/engine.js";
import { ofPage } from "../operate/options.js";
import { count } from "../words/format.js";
import { fix, kSeverities, kWords, place, sentence } from "../words/words.js";
import "./code_meaning.js";

const kMost = 20;
const kOrder = ["error", "warning", "note"] as const;
const kSymbols = { error: "!", warning: "!", note: "i" };

/** A list of findings: the fault, its location, and the fix. Severity is a word and a sign, never only a color. */
export function diagnosticList(list: readonly Diagnostic[]) {
  if (list.length === 0) return nothing;
  const all = once(kOrder.flatMap((severity) => list.filter((each) => each.severity === severity)));
  return html`
    <ul class="diagnostics">
      ${all.slice(0, kMost).map(one)}
      ${all.length > kMost ? html`<li class="muted">… and ${count(all.length - kMost)} more</li>` : nothing}
    </ul>`;
}

// Opening and later steps may report the same finding on a file; the most severe one is kept.
function once(list: readonly Diagnostic[]): Diagnostic[] {
  const said = new Set<string>();
  return list.filter(({ code, message, where: { file = "", node = "" } }) => {
    const key = `${code}\n${message}\n${file}\n${node}`;
    return !said.has(key) && said.add(key);
  });
}

function one(diagnostic: Diagnostic) {
  const { severity, message, code } = diagnostic;
  const [where, what] = [place(diagnostic), sentence(ofPage(fix(diagnostic)))];
  return html`
    <li class="diagnostic ${severity}">
      <span class="sign" aria-hidden="true">${kSymbols[severity]}</span>
      <div>
        <p><span class="severity">${kSeverities[severity]}</span> ${sentence(ofPage(message))}</p>
        ${what ? html`<p class="fix">${kWords.whatToDo}${what}</p>` : nothing}
        ${where ? html`<p class="where">${where}</p>` : nothing}
        <code-meaning .code=${code}></code-meaning>
      </div>
    </li>`;
}
