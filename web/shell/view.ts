import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { loadedWorkshop } from "../actions/load_workshop.js";
import { diagnosticList } from "../findings/diagnostics.js";
import { described, takesSecond } from "../history/recipe.js";
import { dropVeil, emptyView, openButtons } from "../open/drop_zone.js";
import type { Busy, Failure, Pane, Theme } from "../state/state.js";
import { openTabs, secondOf, stepOf, tabNumbered } from "../state/tabs.js";
import { bytes } from "../ui/format.js";
import { kept } from "../ui/kept.js";
import { kThemes, kWords } from "../words/words.js";
import { dialogs } from "./dialogs.js";
import { modelTabs } from "./model_tabs.js";
import { showTheme } from "./theme.js";

/** The whole page. */
export function view(app: App) {
  const { busy, failure, dragging, announcement, pane } = app.state;
  return html`
    ${bar(app)}
    <main class=${app.step ? "shop" : "start"} aria-busy=${busy !== null} data-shown=${pane}>
      ${failure ? failureCard(app, failure) : nothing}
      ${recipeCard(app)}
      ${app.step ? kept(app.state.tab, tabNumbers(app), loadedWorkshop().workshop(app, app.step)) : emptyView(app)}
    </main>
    ${app.step ? paneSwitch(app) : nothing}
    ${busy ? progress(app, busy) : nothing}
    <p class="visually-hidden" role="status">${announcement}</p>
    ${dialogs(app)}
    ${dragging ? dropVeil : nothing}`;
}

function tabNumbers(app: App): readonly number[] {
  return openTabs(app.state).map(({ tab }) => tab);
}

function bar(app: App) {
  return html`
    <header class="bar">
      <p class="brand">${logo} ${kWords.name}</p>
      ${app.step ? modelTabs(app) : nothing}
      ${app.step ? openButtons(app, false) : nothing}
      <div class="bar-end">
        ${promise(app)}
        <label class="theme" title=${kWords.theme}>${halves}<span class="visually-hidden">${kWords.theme}</span>
          <select @change=${(event: Event) => setTheme(app, (event.target as HTMLSelectElement).value as Theme)}>
            ${Object.entries(kThemes).map(([name, label]) => html`<option value=${name} ?selected=${name === app.state.theme}>${label}</option>`)}
          </select></label>
        <button type="button" class="icon commands" aria-label="${kWords.commands}, Ctrl K" title=${kWords.commands} @click=${() => app.set({ dialog: "palette" })}>
          <span class="wide">${kWords.commands}</span> <kbd>Ctrl K</kbd></button>
        <button type="button" class="icon" aria-label=${kWords.keys} title=${kWords.keys} @click=${() => app.set({ dialog: "keys" })}>?</button>
      </div>
    </header>`;
}

function setTheme(app: App, theme: Theme): void {
  showTheme(theme);
  app.set({ theme });
}

function promise({ state: { blockedRequests: sent } }: App) {
  return html`
    <details class="promise">
      <summary>${lock} ${sent === 0 ? "0 bytes sent" : `${sent} requests were made`}</summary>
      <p>${kWords.promiseMore}</p>
    </details>`;
}

// The buttons that select a pane, on screens with room for only one.
function paneSwitch(app: App) {
  const all: [Pane, string][] = [
    ["model", kWords.model],
    ["contents", kWords.contents],
    ["inspector", kWords.inspector],
    ["operate", kWords.operate],
  ];
  return html`
    <nav class="pane-switch" aria-label="Panes">
      ${all.map(
        ([name, label]) => html`
        <button type="button" aria-current=${app.state.pane === name} @click=${() => app.set({ pane: name })}>${label}</button>`,
      )}
    </nav>`;
}

function failureCard(app: App, { title, diagnostics, offers }: Failure) {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    void app.files.again({ tag: new FormData(event.target as HTMLFormElement).get("tags") as string });
  };
  const models = offers.includes("models") ? app.files.modelsOf(diagnostics) : [];
  return html`
    <section class="failure" aria-labelledby="failure-title">
      <h2 id="failure-title" tabindex="-1">${title}</h2>
      ${models.length > 0 ? modelChooser(app, models) : diagnosticList(diagnostics)}
      ${
        offers.includes("tags")
          ? html`
        <form class="tags" @submit=${open}><div class="field"><label for="tags">${kWords.tags}</label>
          <input id="tags" name="tags" type="text" required autocomplete="off" autocapitalize="off" spellcheck="false"></div>
          <button type="submit" class="button primary">${kWords.openTagged}</button></form>`
          : nothing
      }
      <p class="failure-end"><span class="muted small">${app.step ? kWords.stillHere : ""}</span>
        <span class="buttons">${
          offers.includes("salvage")
            ? html`
          <button type="button" class="button" @click=${() => void app.files.salvage()}>${kWords.salvage}</button>`
            : nothing
        }${
          offers.includes("unchecked")
            ? html`
          <button type="button" class="button" @click=${() => void app.files.again({ noChecksum: true })}>${kWords.openUnchecked}</button>`
            : nothing
        }
          <button type="button" class="button" @click=${() => app.dismissFailure()}>${kWords.dismiss}</button></span></p>
    </section>`;
}

function modelChooser(app: App, models: readonly string[]) {
  return html`
    <div class="models" role="group" aria-label=${kWords.chooseModel}>
      <p>${kWords.chooseModel}</p>
      <div class="buttons">${models.map((path) => html`<button type="button" class="button" @click=${() => void app.files.again({ path })}><code>${path}</code></button>`)}</div>
    </div>`;
}

function recipeCard(app: App) {
  const { recipe } = app.state;
  if (recipe.length === 0) return nothing;
  const needsOther = recipe.some(takesSecond);
  return html`
    <section class="recipe-card" aria-label=${kWords.recipe}>
      <div><p><strong>${kWords.recipeCame}</strong> ${recipe.map(described).join(", ")}.
        ${app.step ? nothing : html`<span class="muted">${kWords.recipeWaits}</span>`}</p>
      ${app.step && needsOther ? loadedWorkshop().otherSlot(app, kWords.from) : nothing}</div>
      ${
        app.step
          ? html`<button type="button" class="button primary" ?disabled=${needsOther && !secondOf(app.state)} @click=${() => app.history.replayRecipe()}>${kWords.applyRecipe}</button>`
          : nothing
      }
      <button type="button" class="button" @click=${() => app.history.dropRecipe()}>${kWords.dismiss}</button>
    </section>`;
}

// The progress of a call. At most all files are read once, so it shows bytes read as a fraction of the total size.
function progress(app: App, { tab: of, doing, bytes: read }: Busy) {
  const tab = tabNumbered(app.state, of);
  const all = (tab && stepOf(tab))?.about.files.reduce((sum, file) => sum + Number(file.bytes), 0) ?? 0;
  return html`
    <section class="working" aria-label=${doing}>
      <progress aria-label=${doing} max=${all || 1} value=${read > 0 && read < all ? read : nothing}></progress>
      <p><strong>${doing}</strong> <span class="muted">${tab && of !== app.state.tab ? `${tab.name} ` : ""}${read > 0 ? `${bytes(read)} read` : ""}</span></p>
      <button type="button" class="button" @click=${() => app.cancel()}>${kWords.cancel}</button>
    </section>`;
}

const logo = html`
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M16 3v26M4.7 9.5l22.6 13M27.3 9.5l-22.6 13" />
    <path d="M16 8.5l-3-2.6M16 8.5l3-2.6M16 23.5l-3 2.6M16 23.5l3 2.6" /><circle cx="16" cy="16" r="3.4" />
  </svg>`;

const halves = html`
  <svg class="halves" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.8" /><path d="M8 2.2a5.8 5.8 0 0 1 0 11.6z" /></svg>`;

const lock = html`
  <svg class="lock" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M4 7V5a4 4 0 0 1 8 0v2" /><rect x="2.5" y="7" width="11" height="7" rx="1.6" />
  </svg>`;
