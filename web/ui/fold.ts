import { html, nothing } from "lit";
import { count } from "./format.js";

/** Goes to the object of a name. */
export type Go = (name: string) => void;

const kMaxNames = 200;

/** Names below a line that counts them; nothing for none. With `go`, they are links. */
export function fold(title: string, names: readonly string[], go?: Go) {
  if (names.length === 0) return nothing;
  return html`
    <details class="fold small">
      <summary>${title}</summary>
      <ul class="names">${names.slice(0, kMaxNames).map((name) => html`<li>${nameLink(name, go)}</li>`)}
        ${names.length > kMaxNames ? html`<li class="muted">… and ${count(names.length - kMaxNames)} more</li>` : nothing}</ul>
    </details>`;
}

/** A name; with `go` a link. */
export function nameLink(name: string, go?: Go) {
  const code = html`<code>${name}</code>`;
  return go ? html`<button type="button" class="node-link" @click=${() => go(name)}>${code}</button>` : code;
}
