import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { hasFolders } from "../actions/folder.js";
import type { Download, Form } from "../state/state.js";
import { copyableText } from "../ui/copyable_text.js";
import "../ui/file_hash.js";
import { bytes } from "../ui/format.js";
import { kWords, saved } from "../words/words.js";

/** The files of a result. Their bytes are joined only while the browser writes them to the disk. */
export function downloads(app: App, forms: readonly Form[]) {
  return html`<div class="forms">${forms.map((form, i) => oneForm(app, form, i === 0))}</div>`;
}

function oneForm(app: App, form: Form, primary: boolean) {
  const { title, files } = form;
  return html`
    <div class="form">
      <h4>${title}</h4>
      <ul class="downloads">${files.map((file) => item(file, primary && files.length === 1))}</ul>
      ${
        files.length === 1
          ? nothing
          : html`
        <div class="buttons">
          <button type="button" class="button ${primary ? "primary" : ""}" @click=${all}>${kWords.downloadAll}</button>${together(app, form)}
        </div>`
      }
      ${form.zipped ? html`<ul class="downloads zipped">${item(form.zipped, false)}</ul>` : nothing}
      ${
        form.snippet
          ? copyableText(kWords.howToLoad, kWords, form.snippet)
          : html`<button type="button" class="button small" ?disabled=${app.state.busy !== null} @click=${() => app.saving.snippet(form)}>${kWords.howToLoad}</button>`
      }
      ${form.savedIn ? html`<p class="muted small">${saved(files.length, form.savedIn)}.</p>` : nothing}
    </div>`;
}

// Several files that belong together, as one or in a place of theirs.
function together(app: App, form: Form) {
  const busy = app.state.busy !== null;
  return html`
    ${
      form.zip && !form.zipped
        ? html`
      <button type="button" class="button" ?disabled=${busy} @click=${() => app.saving.zip(form)}>${kWords.asZip}</button>`
        : nothing
    }
    ${
      hasFolders()
        ? html`
      <button type="button" class="button" ?disabled=${busy} @click=${() => app.saving.inFolder(form)}>${kWords.inFolder}</button>`
        : nothing
    }`;
}

function item(file: Download, primary: boolean) {
  return html`<li>${link(file, primary)}<file-hash .blob=${file.blob} .label=${kWords.checksum}></file-hash></li>`;
}

function link({ name, size, url }: Download, primary: boolean) {
  return html`
    <a class="download ${primary ? "primary" : ""}" href=${url} download=${name}>
      ${arrow}<span class="visually-hidden">${kWords.download} </span><code>${name}</code>
      <span class="size">${bytes(size)}</span>
    </a>`;
}

const arrow = html`
  <svg class="arrow" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10" /></svg>`;

function all({ target }: Event): void {
  for (const each of (target as HTMLElement)
    .closest(".form")!
    .querySelectorAll<HTMLElement>(".downloads:not(.zipped) a"))
    each.click();
}
