import { html, nothing } from "lit";
import type { Classes, ComparedTensor } from "../../wasm/package/entries/page_later.js";
import type { App } from "../actions/app.js";
import type { Labels } from "../state/verify.js";
import { filePicker } from "../ui/file_picker.js";
import { counted, number } from "../ui/format.js";
import { linesOf } from "./labels.js";
import { kVerifyWords } from "./words.js";

/** The classes that an output puts first. `found`: their names, of an asset of the model. */
export function classList(
  app: App,
  { name }: ComparedTensor,
  { count, probabilities, top }: Classes,
  found: Labels | null,
) {
  const labels = [app.state.run.labels, found].find((each) => each?.lines.length === count);
  const differs = top.some(({ value, other }) => asText(value, probabilities) !== asText(other, probabilities));
  return html`
    <div class="classes">
      <h4>${probabilities ? kVerifyWords.classes : kVerifyWords.largest} <code>${name}</code></h4>
      <table class="converted">
        <thead class="visually-hidden"><tr><th scope="col">Class</th><th scope="col">Value</th>${differs ? html`<th scope="col">Other</th>` : nothing}<td></td></tr></thead>
        <tbody>${top.map(
          ({ index, value, other }) => html`
          <tr><th scope="row">${labels ? html`${labels.lines[index]} <span class="muted">${index}</span>` : `${kVerifyWords.class} ${index}`}</th>
            <td>${asText(value, probabilities)}</td>${differs ? html`<td>other ${asText(other, probabilities)}</td>` : nothing}
            <td>${probabilities ? bar(value) : nothing}</td></tr>`,
        )}</tbody>
      </table>
      ${namesOf(app, count, labels ?? null)}
    </div>`;
}

function asText(value: number, isShare: boolean): string {
  if (!isShare) return number(value);
  return value > 0 && value < 5e-5 ? "<0.01 %" : `${(value * 100).toFixed(2)} %`;
}

function bar(share: number) {
  return html`<svg class="share" aria-hidden="true"><rect width="${share * 100}%" height="100%" /></svg>`;
}

function namesOf(app: App, count: number, labels: Labels | null) {
  const given = app.state.run.labels;
  const take = async ([file]: File[]) => {
    const lines = linesOf(await file!.text());
    app.set({ run: { ...app.state.run, labels: { name: file!.name, lines } } });
  };
  const drop = (event: DragEvent) => {
    const { files } = event.dataTransfer ?? {};
    if (!files?.length) return;
    event.preventDefault();
    app.drag(false);
    void take(Array.from(files));
  };
  return html`
    <div class="labels" @drop=${drop}>
      ${filePicker({ label: kVerifyWords.labels, folder: false, primary: false, name: "labels" }, take)}
      <span class="muted small">${
        labels
          ? labels.name
          : given && given.lines.length !== count
            ? `${given.name} has ${counted(given.lines.length, "line")}, there are ${count} classes`
            : kVerifyWords.labelsAbout
      }</span>
    </div>`;
}
