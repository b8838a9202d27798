import { html } from "lit";
import type { App } from "../actions/app.js";
import { filePicker } from "../ui/file_picker.js";
import { kWords } from "../words/words.js";
import { documentationLink } from "./documentation.js";
import { sampleSection } from "./samples.js";

/** The whole window takes files. */
export function listenForDrops(app: App): void {
  let depth = 0; // enter and leave come for every element on the way
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => {
    if (hasFiles(event)) app.drag(++depth > 0);
  });
  addEventListener("dragleave", (event) => {
    if (hasFiles(event)) app.drag((depth = Math.max(0, depth - 1)) > 0);
  });
  addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    depth = 0;
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    app.drag(false);
    void app.files.open(event.dataTransfer!.items);
  });
}

/** Buttons that open files, a folder, a text and samples. `primary`: nothing is open yet. */
export function openButtons(app: App, primary: boolean) {
  const open = (files: File[]) => app.files.open(files);
  return html`
    <div class="buttons">
      ${filePicker({ label: kWords.openFiles, folder: false, primary, name: "files" }, open)}
      ${filePicker({ label: kWords.openFolder, folder: true, primary: false, name: "folder" }, open)}
      <button type="button" class="button" @click=${() => app.set({ dialog: "paste" })}>${kWords.paste}</button>
      ${
        primary
          ? html`<button type="button" class="button quiet" @click=${() => app.files.openSample()}>${kWords.sample}</button>`
          : html`<button type="button" class="button quiet" @click=${() => app.set({ dialog: "samples" })}>${kWords.samples}</button>`
      }
    </div>`;
}

/** The view before a model is open. */
export function emptyView(app: App) {
  return html`
    <section class="empty">
      <h1 tabindex="-1">${kWords.headline}</h1>
      <p class="lead">${kWords.lead}</p>
      <div class="drop">
        ${dropPicture}
        <p class="drop-title">${kWords.drop}</p>
        <p class="muted small">${kWords.dropMore}</p>
        ${openButtons(app, true)}
      </div>
      ${sampleSection(app)}
      <ul class="takes">
        ${kWords.takes.map(
          ([title, what, about]) => html`
          <li><h2>${title}</h2><code>${what}</code><p>${about}</p></li>`,
        )}
      </ul>
      ${documentationLink()}
    </section>`;
}

export const dropVeil = html`<div class="veil" aria-hidden="true"><p>${kWords.dropNow}</p></div>`;

const dropPicture = html`
  <svg class="drop-picture" viewBox="0 0 64 64" aria-hidden="true">
    <path d="M32 8v30M21 28l11 11 11-11" /><path d="M10 42v8a6 6 0 0 0 6 6h32a6 6 0 0 0 6-6v-8" />
  </svg>`;
