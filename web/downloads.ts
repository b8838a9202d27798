import { html, nothing } from "lit";
import "./file_hash.js";
import { bytes } from "./format.js";
import type { Download, Form } from "./state.js";
import { kWords } from "./words.js";

/** The files of a result. Their bytes are joined only while the browser writes them to the disk. */
export function downloads(forms: readonly Form[]) {
  return html`<div class="forms">${forms.map((form, i) => oneForm(form, i === 0))}</div>`;
}

function oneForm({ title, files }: Form, primary: boolean) {
  return html`
    <div class="form">
      <h4>${title}</h4>
      <ul class="downloads">${files.map((file) => html`<li>${link(file, primary && files.length === 1)}<file-hash .blob=${file.blob}></file-hash></li>`)}</ul>
      ${files.length === 1 ? nothing : html`
        <button type="button" class="button ${primary ? "primary" : ""}" @click=${all}>${kWords.downloadAll}</button>`}
    </div>`;
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
  for (const each of (target as HTMLElement).parentElement!.querySelectorAll("a")) each.click();
}
