import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Tab } from "../state/state.js";
import { openTabs } from "../state/tabs.js";
import { closeTab, kWords } from "../words/words.js";

/**
 * The open models. They are a list of buttons and not ARIA's tabs: a tab holds no button that closes it, and no one panel
 * belongs to a model, which has the whole page. Narrow screens have a button that opens the list as a sheet.
 */
export function modelTabs(app: App) {
  const { name } = app.state;
  const { length } = openTabs(app.state);
  return html`
    <nav class="model-tabs" aria-label=${kWords.openModels}>${tabList(app, (tab) => app.tabs.show(tab))}</nav>
    <button type="button" class="button tabs-menu" aria-haspopup="dialog" @click=${() => app.set({ dialog: "tabs" })}>
      <span class="visually-hidden">${kWords.openModels}: </span><span class="tab-name">${name}</span>
      ${length > 1 ? html`<span class="tabs-count">${length}</span>` : nothing}</button>`;
}

/** The list of open models: each with a button that shows it, and one that closes it. */
export function tabList(app: App, choose: (tab: number) => void) {
  return html`<ul class="tab-list" @keydown=${(event: KeyboardEvent) => walk(app, event)}>${openTabs(app.state).map((tab) => tabItem(app, tab, choose))}</ul>`;
}

function tabItem(app: App, { tab, name, files, unsaved }: Tab, choose: (tab: number) => void) {
  const current = tab === app.state.tab;
  const close = () => app.tabs.close(tab);
  const closeByWheel = (event: MouseEvent) => {
    if (event.button !== 1) return;
    event.preventDefault();
    close();
  };
  return html`
    <li class="model-tab" @auxclick=${closeByWheel} @mousedown=${keepFromScrolling}>
      <button type="button" class="tab-show" data-tab=${tab} aria-current=${current} title=${Object.keys(files)[0] ?? name} @click=${() => choose(tab)}>
        <span class="tab-name">${name}</span>${unsaved ? html`<span class="unsaved" title=${kWords.unsaved}></span><span class="visually-hidden">, ${kWords.unsaved}</span>` : nothing}</button>
      <button type="button" class="icon tab-close" aria-label=${closeTab(name)} title=${closeTab(name)} @click=${close}>×</button>
    </li>`;
}

// The middle button would start to scroll.
function keepFromScrolling(event: MouseEvent): void {
  if (event.button === 1) event.preventDefault();
}

// Arrow keys go along the buttons that show a model; Delete closes it.
function walk(app: App, event: KeyboardEvent): void {
  const { key, currentTarget, target } = event;
  const all = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".tab-show")];
  const at = all.findIndex((each) => each === target);
  if (at < 0) return;
  if (key === "Delete") {
    event.preventDefault();
    return app.tabs.close(Number(all[at]!.dataset["tab"]));
  }
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (by === undefined) return;
  event.preventDefault();
  all[(at + by + all.length) % all.length]!.focus();
}

/**
 * Alt W closes the model, Alt with Page Up or Down goes to the one before or after: browsers take the same keys with Ctrl
 * for themselves. The key's code is asked, as Alt with a letter types another one on a Mac.
 */
export function listenForTabKeys(app: App): void {
  addEventListener("keydown", (event) => {
    const { code, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (!altKey || ctrlKey || metaKey || shiftKey || app.state.dialog || !app.step) return;
    if (code === "KeyW") app.tabs.close();
    else if (code === "PageUp") app.tabs.step(-1);
    else if (code === "PageDown") app.tabs.step(1);
    else return;
    event.preventDefault();
  });
}
