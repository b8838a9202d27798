import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { WeightInfo } from "../engine/engine.js";
import type { Choice, Step } from "../state/state.js";
import "../ui/data_table.js";
import type { Column } from "../ui/data_table.js";
import { bytes } from "../ui/format.js";
import { flipped } from "../tools/options.js";
import { shape } from "../words/format.js";
import { kWords } from "../words/words.js";

const kRowHeight = 84;
const kMaxRows = 5; // are seen at a time

/** The constants that are weights, or may be: whether un-freeze takes each, why, how certain that is, and a new name. */
export function weightPicker(app: App, step: Step) {
  const { weights } = step.lists["weights"] ?? {};
  if (!weights) return html`<p class="muted small">${kWords.listing}</p>`;
  const { rows, columns } = candidatesOf(app, weights);
  return html`
    <fieldset class="weight-picker">
      <legend>${kWords.detectedWeights}</legend>
      <p class="muted small">${rows.length === 0 ? kWords.detectedNone : kWords.detectedAbout}</p>
      ${
        rows.length === 0
          ? nothing
          : html`
        <data-table class="inset" .rows=${rows} .columns=${columns} .keyOf=${nameOf} .label=${kWords.detectedWeights} .rowHeight=${kRowHeight}
          .mostRows=${kMaxRows} .version=${step.choice}></data-table>`
      }
    </fieldset>`;
}

interface Candidates {
  rows: readonly WeightInfo[];
  columns: readonly Column<WeightInfo>[];
}

const made = new WeakMap<readonly WeightInfo[], Candidates>();
const nameOf = ({ name }: WeightInfo) => name;

// The same object for the same list. The cells show the choice of the current step.
function candidatesOf(app: App, weights: readonly WeightInfo[]): Candidates {
  const known = made.get(weights);
  if (known) return known;
  const candidates: Candidates = {
    rows: weights.filter(({ source, why }) => source === "constant" && why !== undefined),
    columns: [
      {
        name: "use",
        label: kWords.use,
        width: "26px",
        value: (row) => Number(!isTaken(app.step!.choice, row)),
        show: (row) => useCell(app, row),
      },
      {
        name: "name",
        label: kWords.weightAndWhy,
        width: "minmax(0, 2fr)",
        value: nameOf,
        show: (row) => weightCell(app, row),
      },
      {
        name: "new",
        label: kWords.newName,
        width: "minmax(0, 1fr)",
        value: ({ name }) => app.step!.choice.renamed[name] ?? "",
        show: (row) => renameCell(app, row),
      },
    ],
  };
  made.set(weights, candidates);
  return candidates;
}

function useCell(app: App, row: WeightInfo) {
  const { choice } = app.step!;
  return html`<input type="checkbox" aria-label="${kWords.use} ${row.name}" .checked=${isTaken(choice, row)} @change=${() => app.choices.change(toggled(app.step!.choice, row))}>`;
}

function weightCell(app: App, { name, node, dtype, shape: size, bytes: all, why, confidence }: WeightInfo) {
  return html`
    <button type="button" class="node-link" title=${name} @click=${() => void app.browse.goToNode(node!)}><code>${name}</code></button>
    <span class="type">${dtype} ${shape(size)}, ${bytes(all)}</span>
    <span class="why" title=${why ?? ""}><span class="confidence ${confidence}">${confidence}</span> ${why}</span>`;
}

function renameCell(app: App, row: WeightInfo) {
  const { name } = row;
  const { choice } = app.step!;
  return html`
    <input type="text" aria-label="${kWords.newName}: ${name}" placeholder=${kWords.sameName} spellcheck="false" autocapitalize="off" autocomplete="off"
      ?disabled=${!isTaken(choice, row)} .value=${choice.renamed[name] ?? ""} @input=${({ target }: Event) => rename(app, name, (target as HTMLInputElement).value)}>`;
}

/** Returns true if un-freeze takes the weight: detected ones unless they are excluded, uncertain ones if they were added. */
export function isTaken({ excluded, added }: Choice, { name, confidence }: WeightInfo): boolean {
  return confidence === "fair" ? added.has(name) : !excluded.has(name);
}

function toggled({ excluded, added }: Choice, { name, confidence }: WeightInfo): Partial<Choice> {
  return confidence === "fair" ? { added: flipped(added, name) } : { excluded: flipped(excluded, name) };
}

function rename(app: App, name: string, to: string): void {
  app.choices.change({ renamed: { ...app.step!.choice.renamed, [name]: to } });
}
