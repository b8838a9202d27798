import type { App } from "../actions/app.js";
import { pressOnSelection } from "../picture/selection_keys.js";
import type { Pane } from "../state/state.js";

const kPanes: Pane[] = ["model", "contents", "inspector", "operate"];

/** Handles keys that work wherever the focus is, unless a person types. Escape always ends the running task. */
export function listenForKeys(app: App): void {
  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key === "Escape") return escape(app, target);
    if (key === "k" && (ctrlKey || metaKey) && !altKey) {
      event.preventDefault();
      return togglePalette(app);
    }
    if (key.toLowerCase() === "o" && (ctrlKey || metaKey) && !altKey && !app.state.dialog) {
      event.preventDefault();
      return openPicker(event.shiftKey ? "folder" : "files");
    }
    const by = historyKey(event);
    const typing = isTyping(target);
    if (by !== 0 && !typing && app.step) {
      event.preventDefault();
      return app.history.goTo(app.state.at + by);
    }
    if (typing || ctrlKey || metaKey || altKey || !app.state.letters) return;
    if (act(app, key)) event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select, dialog") !== null;
}

// Ends the running task; if there is none, what is followed on the picture.
function escape(app: App, target: EventTarget | null): void {
  if (app.state.busy) app.cancel();
  else if (!isTyping(target)) app.picture.tracer.clear();
}

function openPicker(what: "files" | "folder"): void {
  document.querySelector<HTMLElement>(`[data-picker="${what}"]`)?.click();
}

// Ctrl or ⌘ with Z goes back, with Shift Z or Y forward. In a text field they are the browser's.
function historyKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): -1 | 0 | 1 {
  if ((!ctrlKey && !metaKey) || altKey) return 0;
  if (key.toLowerCase() === "z") return shiftKey ? 1 : -1;
  return key.toLowerCase() === "y" && !shiftKey ? 1 : 0;
}

function act(app: App, key: string): boolean {
  const { at } = app.state;
  const pane = kPanes[Number(key) - 1];
  if (pane && app.step) return go(app, pane);
  switch (key) {
    case "/":
      return focusFilter(app);
    case "z":
      app.history.goTo(at - 1);
      return true;
    case "Z":
      app.history.goTo(at + 1);
      return true;
    case "?":
      app.set({ dialog: "keys" });
      return true;
    default:
      return pressOnSelection(app, key);
  }
}

// Another dialog stays open instead.
function togglePalette(app: App): void {
  if (!app.state.dialog) app.set({ dialog: "palette" });
  else if (app.state.dialog === "palette") app.closeDialog();
}

function go(app: App, pane: Pane): boolean {
  app.set({ pane });
  app.focusOn(`[data-pane="${pane}"] h2`);
  return true;
}

/** Focuses the filter of the table; the picture makes room for one. */
export function focusFilter(app: App): boolean {
  if (!app.step) return false;
  app.set({ pane: "contents" });
  app.browse.leavePicture();
  document.getElementById("filter")?.focus();
  return true;
}
