import { samples, type Sample } from "cryograph-samples";
import { html } from "lit";
import type { App } from "../actions/app.js";
import { bytes } from "../ui/format.js";
import { kSamples, kWords } from "../words/words.js";

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
