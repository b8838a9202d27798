import { html, nothing } from "lit";
import { count } from "../words/format.js";

/** Shows a node of the model. */
export type Go = (node: string) => void;

const kMostNames = 200;

/** Names below a line that counts them; nothing for none. With `go`, they are nodes of the model. */
export function fold(title: string, names: readonly string[], go?: Go) {
  if (names.length === 0) return nothing;
  return html`
    <details class="fold small">
      <summary>${title}</summary>
      <ul class="names">${names.slice(0, kMostNames).map((name) => html`<li>${nodeLink(name, go)}</li>`)}
        ${names.length > kMostNames ? html`<li class="muted">… and ${count(names.length - kMostNames)} more</li>` : nothing}</ul>
    </details>`;
}

/** A name; with `go` a button that shows its node. */
export function nodeLink(name: string, go?: Go) {
  const code = html`<code>${name}</code>`;
  return go ? html`<button type="button" class="node-link" @click=${() => go(name)}>${code}</button>` : code;
}
