import { html } from "lit";
import type { App } from "../actions/app.js";
import { filePicker } from "../ui/file_picker.js";
import { bytes, counted } from "../ui/format.js";
import { kKinds, kWords } from "../words/words.js";

/** The second model of a tool that takes two: its name, or a place to drop it. */
export function otherSlot(app: App, title: string) {
  const { other } = app.state;
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    app.drag(false);
    void app.files.openOther(event.dataTransfer.items);
  };
  return html`
    <section class="other" aria-labelledby="other-title" @drop=${drop}>
      <h3 id="other-title" tabindex="-1">${title}</h3>
      ${
        other
          ? html`
        <p><code>${other.about.model}</code></p>
        <p class="muted small">${kKinds[other.about.kind]}, ${counted(Number(other.about.variables.count) + Number(other.about.constants.count), "weight")},
          ${bytes(other.about.bytes)}</p>`
          : html`<p class="muted small">${kWords.otherAbout}</p>`
      }
      <div class="buttons">
        ${filePicker({ label: other ? kWords.replace : kWords.openFiles, folder: false, primary: false, name: "other" }, (files) => app.files.openOther(files))}
        ${filePicker({ label: kWords.openFolder, folder: true, primary: false, name: "other-folder" }, (files) => app.files.openOther(files))}
      </div>
    </section>`;
}
