import { html } from "lit";
import { samples, type Sample } from "cryograph-samples";
import type { App } from "../app/app.js";
import type { Files } from "../app/engine.js";
import { loadWorkshop } from "../shell/load_workshop.js";
import { bytes } from "../words/format.js";
import { kSamples, kWords } from "../words/words.js";

/** Returns the files of a sample. Its bytes are loaded on request. */
export async function sampleFiles(name: string): Promise<Files> {
  const [{ default: files }, { unpack }] = await Promise.all([
    samples.find((each) => each.name === name)!.files(),
    loadWorkshop(),
  ]);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, new Blob([unpack(text)])]));
}

/** The names of samples; "Try the sample" opens the first. */
export const sampleNames: readonly string[] = samples.map(({ name }) => name);

/** All samples, each with its lesson. `opened`: called after one was opened. */
export function sampleList(app: App, opened: () => void = () => {}) {
  return html`
    <ul class="samples">${samples.map(
      (sample) => html`
      <li><button type="button" class="sample" @click=${() => {
        opened();
        void app.files.openSample(sample.name);
      }}>${card(sample)}</button></li>`,
    )}
    </ul>`;
}

function card({ name, bytes: size }: Sample) {
  const { title, kind, about } = kSamples[name]!;
  return html`<strong>${title}</strong> <small>${kind}, ${bytes(size)}</small> <span>${about}</span>`;
}

/** Below the zone to drop files on. */
export function sampleSection(app: App) {
  return html`
    <section class="sample-section" aria-labelledby="samples-title">
      <h2 id="samples-title">${kWords.samplesTitle}</h2>
      ${sampleList(app)}
    </section>`;
}
