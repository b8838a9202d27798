import { render } from "lit";
import { App } from "./app/app.js";
import { warmUp } from "./app/engine.js";
import { readRecipe } from "./history/recipe.js";
import { listenForDrops } from "./open/drop_zone.js";
import { keepOffline, listenForLaunches } from "./open/installed.js";
import { showChosen } from "./shell/chosen.js";
import { openText } from "./shell/dialogs.js";
import { keepFocus } from "./shell/focus.js";
import { listenForKeys } from "./shell/keyboard.js";
import { loadWorkshop } from "./shell/load_workshop.js";
import { watchRequests } from "./shell/requests.js";
import { showTheme, storedLetters, storedTheme } from "./shell/theme.js";
import { view } from "./shell/view.js";

const root = document.getElementById("page")!;
const app: App = new App(changed, arrive);

listenForDrops(app);
listenForKeys(app);
listenForPastes();
listenForLaunches(app);
listenForCloses();
guardResults();
keepFocus(root);
watchRequests(app);
keepOffline();
whenIdle(() => {
  warmUp();
  loadWorkshop().catch(() => {}); // opening a model tries again, and reports it
});
const theme = storedTheme();
showTheme(theme);
app.set({ theme, letters: storedLetters(), recipe: readRecipe(location.hash) });

function changed(): void {
  if (!app.state.dialog) root.querySelector("dialog")?.close(); // the focus returns to its previous place
  render(view(app), root);
  const dialog = root.querySelector("dialog");
  if (dialog && !dialog.open) dialog.showModal();
  showChosen(root);
  app.preview.follow();
  app.look.follow();
  app.sketch.follow();
  app.checker.follow();
}

// Moves the focus to new content, for the keyboard and for screen readers.
function arrive(selector: string): void {
  const wanted = root.querySelector<HTMLElement>(selector);
  // In a pane that a narrow screen does not show, it cannot have the focus.
  const target =
    wanted?.checkVisibility() === false
      ? root.querySelector<HTMLElement>(`[data-pane="${app.state.pane}"] h2`)
      : wanted;
  if (!target) return;
  target.focus({ preventScroll: true });
  const { top, bottom } = target.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) (target.closest("section") ?? target).scrollIntoView();
  else target.scrollIntoView({ block: "nearest" }); // in the nearest scrollable part
}

// Runs work when the page has loaded; not every browser reports when it is idle.
function whenIdle(work: () => void): void {
  addEventListener("load", () => ("requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work)));
}

// Closes a dialog on Escape, or on a press outside of it. Most browsers fire `cancel` first. `close` fires
// asynchronously: by then the dialog may have been removed or reopened.
function listenForCloses(): void {
  const closed = ({ type, target }: Event) => {
    if (target instanceof HTMLDialogElement && (type === "cancel" || !target.open)) app.closeDialog();
  };
  root.addEventListener("cancel", closed, { capture: true });
  root.addEventListener("close", closed, { capture: true });
  let pressed = false; // outside of the dialog; a text selection may start inside and end outside
  root.addEventListener("pointerdown", (event) => (pressed = isBeside(event)));
  root.addEventListener("click", (event) => {
    if (pressed && isBeside(event)) app.closeDialog();
  });
}

// A dialog's backdrop is its own.
function isBeside({ target, clientX: x, clientY: y }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

// Asks before the page is left with a result that was not downloaded.
function guardResults(): void {
  root.addEventListener("click", ({ target }) => {
    if (app.state.unsaved && target instanceof Element && target.closest("a.download")) app.set({ unsaved: false });
  });
  addEventListener("beforeunload", (event) => {
    if (app.state.unsaved) event.preventDefault();
  });
}

function listenForPastes(): void {
  addEventListener("paste", (event) => {
    const { clipboardData, target } = event;
    if (!clipboardData || (target instanceof Element && target.closest("input, textarea"))) return;
    const text = clipboardData.getData("text/plain");
    if (clipboardData.files.length > 0) void app.files.open(Array.from(clipboardData.files));
    else if (text.trim()) openText(app, text);
  });
}
