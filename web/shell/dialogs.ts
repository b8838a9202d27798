import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import { nameOf } from "../app/step.js";
import { commandLines, recipeLink, script } from "../history/recipe.js";
import { sampleList } from "../open/samples.js";
import { baseName } from "../words/format.js";
import { kKeyWords, kWords } from "../words/words.js";
import { palette } from "./palette.js";
import { storeLetters } from "./theme.js";

/** The dialog over the page, one at a time; page.ts opens and closes it. */
export function dialogs(app: App) {
  const { dialog } = app.state;
  if (!dialog) return nothing;
  if (dialog === "palette") return palette(app);
  const titles = { keys: kWords.keys, paste: kWords.paste, recipe: kWords.recipe, samples: kWords.samples };
  const body = { keys, paste, recipe, samples }[dialog];
  return html`
    <dialog aria-labelledby="dialog-title">
      <header><h2 id="dialog-title">${titles[dialog]}</h2>
        <button type="button" class="icon" aria-label=${kWords.close} @click=${() => app.closeDialog()}>×</button></header>
      ${body(app)}
    </dialog>`;
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
    <label class="flag"><input type="checkbox" .checked=${app.state.letters} @change=${change}> ${kWords.letters}</label>`;
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

function recipe(app: App) {
  const [first] = app.state.steps;
  const steps = app.recipe();
  const model = baseName(first!.about.model);
  const other = baseName(app.state.other?.about.model ?? "");
  const name = nameOf(first!.about);
  return html`
    <p class="muted">${kWords.recipeAbout}</p>
    ${copied("In a terminal", commandLines(steps, model, other, name))}
    ${copied("In JavaScript", script(steps, model, other))}
    ${copied("As a link", recipeLink(steps, location.href))}
    ${steps.some(({ verb }) => verb === "transfer") ? html`<p class="muted small">${kWords.linkNeedsOther}</p>` : nothing}`;
}

function copied(title: string, text: string) {
  const copy = async ({ target }: Event) => {
    const button = target as HTMLButtonElement;
    await navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = kWords.copied;
      },
      () => select(button),
    );
  };
  return html`
    <section class="copied">
      <header><h3>${title}</h3><button type="button" class="button small" aria-label="${kWords.copy}: ${title}" @click=${copy}>${kWords.copy}</button></header>
      <pre tabindex="0">${text}</pre>
    </section>`;
}

// Selects the text, for browsers that deny access to the clipboard.
function select(button: HTMLButtonElement): void {
  getSelection()!.selectAllChildren(button.closest("section")!.querySelector("pre")!);
}
