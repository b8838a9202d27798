import { html, nothing } from "lit";
import type { Diagnostic } from "../engine/engine.js";
import { count } from "../ui/format.js";
import { inPageWords } from "../words/refer.js";
import { kSeverities, kWords, place, sentence } from "../words/words.js";
import "./code_meaning.js";

const kMax = 20; // groups
const kMaxAlike = 200;
const kApart = 3; // as many findings of one code are shown each by itself
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
  const groups = grouped(once(kOrder.flatMap((severity) => list.filter((each) => each.severity === severity))));
  return html`
    <ul class="diagnostics">
      ${groups.slice(0, kMax).map((group) => one(group, go))}
      ${groups.length > kMax ? html`<li class="muted">… and ${count(groups.slice(kMax).flat().length)} more</li>` : nothing}
    </ul>`;
}

type Group = readonly [Diagnostic, ...Diagnostic[]];

// Findings of one severity and code are a group, unless they are few.
function grouped(list: readonly Diagnostic[]): Group[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const each of list) {
    const key = `${each.severity} ${each.code}`;
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length > kApart ? [group] : group.map((each): Group => [each]),
  );
}

// Opening and later steps may report the same finding on a file; the most severe one is kept.
function once(list: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return list.filter(({ code, message, where: { file = "", node = "" } }) => {
    const key = `${code}\n${message}\n${file}\n${node}`;
    return !seen.has(key) && seen.add(key);
  });
}

function one([diagnostic, ...alike]: Group, go: Go | undefined) {
  const { severity, message, code, fix } = inPageWords(diagnostic);
  const where = location(diagnostic, go);
  return html`
    <li class="diagnostic ${severity}">
      <span class="sign" aria-hidden="true">${kSymbols[severity]}</span>
      <div>
        <p><span class="severity">${kSeverities[severity]}</span> ${sentence(message)}</p>
        ${fix ? html`<p class="fix">${kWords.whatToDo}${sentence(fix)}</p>` : nothing}
        ${where ? html`<p class="where">${where}</p>` : nothing}
        ${alike.length > 0 ? others(alike, go) : nothing}
        <code-meaning .code=${code}></code-meaning>
      </div>
    </li>`;
}

function others(alike: readonly Diagnostic[], go: Go | undefined) {
  const rest = alike.length - kMaxAlike;
  return html`
    <details class="fold small">
      <summary>${count(alike.length)} more with this code</summary>
      <ul class="names">${alike.slice(0, kMaxAlike).map((each) => html`<li>${sentence(inPageWords(each).message)} <span class="where">${location(each, go)}</span></li>`)}
        ${rest > 0 ? html`<li class="muted">… and ${count(rest)} more</li>` : nothing}</ul>
    </details>`;
}

function location(diagnostic: Diagnostic, go: Go | undefined) {
  const { node, ...rest } = diagnostic.where;
  if (!go || !node) return place(diagnostic);
  return html`${place({ where: rest })} ${nodeLink(node, rest.function ?? "", go)}`;
}

/** A button that goes to a node. */
export function nodeLink(node: string, body: string, go: Go) {
  return html`<button type="button" class="node-link" @click=${() => go(node, body)}>node <code>${node}</code></button>`;
}
