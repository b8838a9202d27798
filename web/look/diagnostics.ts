import { html, nothing } from "lit";
import type { Diagnostic } from "../app/engine.js";
import { count } from "../words/format.js";
import { inPageWords } from "../words/refer.js";
import { kSeverities, kWords, place, sentence } from "../words/words.js";
import "./code_meaning.js";

const kMost = 20;
const kOrder = ["error", "warning", "note"] as const;
const kSymbols = { error: "!", warning: "!", note: "i" };

/** Goes to a node, of a function's body or of the main graph. */
export type Go = (node: string, body: string) => void;

/**
 * A list of findings: the fault, its location, and the fix. Severity is a word and a sign, never only a color. With
 * `go`, nodes are links.
 */
export function diagnosticList(list: readonly Diagnostic[], go?: Go) {
  if (list.length === 0) return nothing;
  const all = once(kOrder.flatMap((severity) => list.filter((each) => each.severity === severity)));
  return html`
    <ul class="diagnostics">
      ${all.slice(0, kMost).map((each) => one(each, go))}
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

function one(diagnostic: Diagnostic, go: Go | undefined) {
  const { severity, message, code, fix } = inPageWords(diagnostic);
  const where = location(diagnostic, go);
  return html`
    <li class="diagnostic ${severity}">
      <span class="sign" aria-hidden="true">${kSymbols[severity]}</span>
      <div>
        <p><span class="severity">${kSeverities[severity]}</span> ${sentence(message)}</p>
        ${fix ? html`<p class="fix">${kWords.whatToDo}${sentence(fix)}</p>` : nothing}
        ${where ? html`<p class="where">${where}</p>` : nothing}
        <code-meaning .code=${code}></code-meaning>
      </div>
    </li>`;
}

function location(diagnostic: Diagnostic, go: Go | undefined) {
  const { node, ...rest } = diagnostic.where;
  if (!go || !node) return place(diagnostic);
  return html`${place({ where: rest })}
    <button type="button" class="node-link" @click=${() => go(node, rest.function ?? "")}>node <code>${node}</code></button>`;
}
