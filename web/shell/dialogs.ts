import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { commandLines, recipeLink, script, takesSecond } from "../history/recipe.js";
import { documentationLink } from "../open/documentation.js";
import { sampleList } from "../open/samples.js";
import { secondOf, tabNumbered } from "../state/tabs.js";
import { copyableText } from "../ui/copyable_text.js";
import { dialogFrame } from "../ui/dialog.js";
import { nameOf } from "../words/files.js";
import { baseName } from "../words/format.js";
import { closeTab, kKeyWords, kWords } from "../words/words.js";
import { commandDialog } from "./commands.js";
import { tabList } from "./model_tabs.js";
import { storeLetters } from "./theme.js";

/** The dialog over the page, one at a time; page.ts opens and closes it. */
export function dialogs(app: App) {
  const { dialog } = app.state;
  if (!dialog) return nothing;
  if (dialog === "palette") return commandDialog(app);
  if (dialog === "close") return closeDialog(app);
  const titles = {
    keys: kWords.keys,
    paste: kWords.paste,
    recipe: kWords.recipe,
    samples: kWords.samples,
    tabs: kWords.openModels,
  };
  const body = { keys, paste, recipe, samples, tabs: tabSheet }[dialog];
  return dialogFrame(titles[dialog], kWords.close, () => app.closeDialog(), body(app));
}

// A sheet of the open models, where there is no room for a row of them.
function tabSheet(app: App) {
  const choose = (tab: number) => {
    app.closeDialog();
    app.tabs.show(tab);
  };
  return tabList(app, choose);
}

// Asks before results are discarded with a tab.
function closeDialog(app: App) {
  const { closing } = app.state;
  const name = tabNumbered(app.state, closing)?.name ?? "";
  const body = html`
    <p>${kWords.closeAbout}</p>
    <div class="buttons">
      <button type="button" class="button primary" @click=${() => app.tabs.discard(closing)}>${kWords.closeAnyway}</button>
      <button type="button" class="button" autofocus @click=${() => app.closeDialog()}>${kWords.cancel}</button>
    </div>`;
  return dialogFrame(closeTab(name), kWords.close, () => app.closeDialog(), body);
}

function samples(app: App) {
  return sampleList(app, () => app.closeDialog());
}

function keys(app: App) {
  const change = ({ target }: Event) => {
    const letters = (target as HTMLInputElement).checked;
    storeLetters(letters);
    app.set({ letters });
  };
  return html`
    <dl class="keys">${kKeyWords.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <label class="flag"><input type="checkbox" .checked=${app.state.letters} @change=${change}> ${kWords.letters}</label>
    ${documentationLink()}`;
}

function paste(app: App) {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    app.closeDialog();
    openText(app, new FormData(event.target as HTMLFormElement).get("text") as string);
  };
  return html`
    <form @submit=${open}>
      <label for="pasted">${kWords.pasteAbout}</label>
      <textarea id="pasted" name="text" rows="10" spellcheck="false" autocapitalize="off" autocomplete="off" required autofocus></textarea>
      <p><button type="submit" class="button primary">${kWords.pasteOpen}</button></p>
    </form>`;
}

/** Opens a pasted text, recognized by its beginning: JSON is a TensorFlow.js model. */
export function openText(app: App, text: string): void {
  const json = text.trimStart().startsWith("{");
  void app.files.open([new File([text], json ? "model.json" : "pasted.pbtxt")]);
}

const kCopyWords = { copy: kWords.copy, copied: kWords.copied };

function recipe(app: App) {
  const [first] = app.state.steps;
  const steps = app.history.recipe();
  const model = baseName(first!.about.model);
  const other = baseName(secondOf(app.state)?.about.model ?? "");
  const name = nameOf(first!.about);
  return html`
    <p class="muted">${kWords.recipeAbout}</p>
    ${copyableText("In a terminal", kCopyWords, commandLines(steps, model, other, name))}
    ${copyableText("In JavaScript", kCopyWords, script(steps, model, other))}
    ${copyableText("As a link", kCopyWords, recipeLink(steps, location.href))}
    ${steps.some(takesSecond) ? html`<p class="muted small">${kWords.linkNeedsOther}</p>` : nothing}`;
}
