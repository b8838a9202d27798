import { html } from "lit";
import type { App } from "../actions/app.js";
import { kWords } from "../words/words.js";

/** A field of the filter, which the tables and the outline share. Escape empties it. `down`: runs on the Down key. */
export function filterInput(app: App, id: string, label: string, down?: () => void) {
  const { filter } = app.state.browse;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" && down) down();
    else if (event.key === "Escape" && filter) app.browse.filterBy("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`
    <input id=${id} type="search" placeholder=${kWords.filterHint} aria-label=${label} aria-describedby="${id}-help" spellcheck="false"
      autocapitalize="off" autocomplete="off" .value=${filter} @keydown=${onKey}
      @input=${({ target }: Event) => app.browse.filterBy((target as HTMLInputElement).value)}>
    <p id="${id}-help" class="filter-help muted small">${kWords.searchHelp}</p>`;
}
