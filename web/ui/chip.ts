import { html } from "lit";

/** A filter that is set: a button that removes it. `what`: its kind; `away`: the word for removing. */
export function chip(what: string, name: string, away: string, remove: () => void) {
  return html`
    <button type="button" class="chip" @click=${remove} aria-label="${what}: ${name} ${away}"><code>${name}</code><span aria-hidden="true">×</span></button>`;
}
