import { render } from "lit";
import { App } from "./actions/app.js";
import { loadWorkshop } from "./actions/load_workshop.js";
import { startWorker } from "./engine/engine.js";
import { watchWorker } from "./engine/spawn.js";
import { readRecipe } from "./history/recipe.js";
import { ViewLink } from "./history/view_link.js";
import { listenForDrops } from "./open/drop_zone.js";
import { keepOffline, listenForLaunches } from "./open/installed.js";
import { openText } from "./shell/dialogs.js";
import { listenForKeys } from "./shell/keyboard.js";
import { listenForTabKeys } from "./shell/model_tabs.js";
import { watchRequests } from "./shell/requests.js";
import { showTheme, storedLetters, storedTheme } from "./shell/theme.js";
import { view } from "./shell/view.js";
import { tabsOf } from "./state/tabs.js";
import { listenForDialogCloses } from "./ui/dialog.js";
import { focusOn, keepFocus } from "./ui/focus.js";
import { scrollSelectedIntoView } from "./ui/scroll_selected.js";

const root = document.getElementById("page")!;
const app: App = new App(changed, (selector) => focusOn(root, selector, `[data-pane="${app.state.pane}"] h2`));
const viewLink = new ViewLink(app);

listenForDrops(app);
listenForKeys(app);
listenForTabKeys(app);
listenForPastes();
listenForLaunches(app);
listenForDialogCloses(root, () => app.closeDialog());
guardResults();
keepFocus(root);
watchRequests(app);
watchWorker(() => app.tabs.reportRestart());
keepOffline();
whenIdle(() => {
  startWorker();
  loadWorkshop().catch(() => {}); // opening a model tries again, and reports it
});
const theme = storedTheme();
showTheme(theme);
app.set({ theme, letters: storedLetters(), recipe: readRecipe(location.hash) });

function changed(): void {
  app.picture.begin();
  if (!app.state.dialog) root.querySelector("dialog")?.close(); // the focus returns to its previous place
  render(view(app), root);
  const dialog = root.querySelector("dialog");
  if (dialog && !dialog.open) dialog.showModal();
  scrollSelectedIntoView(root);
  app.update();
  viewLink.update();
}

// Runs work when the page has loaded; not every browser reports when it is idle.
function whenIdle(work: () => void): void {
  addEventListener("load", () => ("requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work)));
}

// Asks before the page is left with a result that was not downloaded.
function guardResults(): void {
  root.addEventListener("click", ({ target }) => {
    if (app.state.unsaved && target instanceof Element && target.closest("a.download")) app.set({ unsaved: false });
  });
  addEventListener("beforeunload", (event) => {
    if (tabsOf(app.state).some(({ unsaved }) => unsaved)) event.preventDefault();
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
