import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Diagnostic } from "../engine/engine.js";
import type { Step } from "../state/state.js";
import { filePicker } from "../ui/file_picker.js";
import { kWords, missingParts } from "../words/words.js";

/** The parts that the opened model lacks, by name, with a place to drop them. */
export function missingSlot(app: App, { about, model, made }: Step) {
  const missing = made ? "" : missingParts(about, [...model.report.diagnostics, ...about.diagnostics]);
  if (!missing) return nothing;
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    app.drag(false);
    void app.files.add(event.dataTransfer.items);
  };
  return html`
    <section class="other missing" aria-label=${kWords.missing} @drop=${drop}>
      <p class="small"><strong>${kWords.missing}</strong> ${missing}</p>
      <div class="buttons"><span class="muted small">${kWords.dropMissing}</span> ${filePicker({ label: kWords.addFiles, folder: false, primary: false, name: "missing" }, (files) => app.files.add(files))}</div>
    </section>`;
}

/** Returns false for a missing part, which the slot names: no list repeats it. */
export function isNotInSlot({ code, severity }: Diagnostic): boolean {
  return code !== "missing-shard" || severity === "error";
}
