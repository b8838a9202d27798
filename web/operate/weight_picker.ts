import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { WeightInfo } from "../engine/engine.js";
import type { Choice, Step } from "../state/state.js";
import { bytes, count } from "../ui/format.js";
import { shape } from "../words/format.js";
import { kWords } from "../words/words.js";

const kMostRows = 200;

/** The constants that are weights, or may be: whether un-freeze takes each, why, how certain that is, and a new name. */
export function weightPicker(app: App, step: Step) {
  const { weights } = step.lists["weights"] ?? {};
  if (!weights) return html`<p class="muted small">${kWords.listing}</p>`;
  const rows = weights.filter(({ source, why }) => source === "constant" && why !== undefined);
  const rest = rows.length - kMostRows;
  return html`
    <fieldset class="weight-picker">
      <legend>${kWords.detectedWeights}</legend>
      <p class="muted small">${rows.length === 0 ? kWords.detectedNone : kWords.detectedAbout}</p>
      ${
        rows.length === 0
          ? nothing
          : html`
        <table>
          <thead><tr><th scope="col">${kWords.use}</th><th scope="col">${kWords.weightAndWhy}</th><th scope="col">${kWords.newName}</th></tr></thead>
          <tbody>${rows.slice(0, kMostRows).map((row) => weightRow(app, step, row))}</tbody>
        </table>`
      }
      ${rest > 0 ? html`<p class="muted small">… and ${count(rest)} more: ${kWords.detectedRest}</p>` : nothing}
    </fieldset>`;
}

function weightRow(app: App, { choice }: Step, row: WeightInfo) {
  const { name, dtype, shape: size, bytes: all, why, confidence } = row;
  const taken = isTaken(choice, row);
  return html`
    <tr>
      <td><input type="checkbox" aria-label="${kWords.use} ${name}" .checked=${taken} @change=${() => app.choices.change(toggled(choice, row))}></td>
      <td><button type="button" class="node-link" @click=${() => void app.browse.goToNode(row.node)}><code>${name}</code></button>
        <span class="type">${dtype} ${shape(size)}, ${bytes(all)}</span>
        <span class="why"><span class="confidence ${confidence}">${confidence}</span> ${why}</span></td>
      <td><input type="text" aria-label="${kWords.newName}: ${name}" placeholder=${kWords.sameName} spellcheck="false" autocapitalize="off" autocomplete="off"
        ?disabled=${!taken} .value=${choice.renamed[name] ?? ""} @input=${({ target }: Event) => rename(app, name, (target as HTMLInputElement).value)}></td>
    </tr>`;
}

/** Returns true if un-freeze takes the weight: detected ones unless they are excluded, uncertain ones if they were added. */
export function isTaken({ excluded, added }: Choice, { name, confidence }: WeightInfo): boolean {
  return confidence === "fair" ? added.has(name) : !excluded.has(name);
}

function toggled({ excluded, added }: Choice, { name, confidence }: WeightInfo): Partial<Choice> {
  return confidence === "fair" ? { added: flipped(added, name) } : { excluded: flipped(excluded, name) };
}

function flipped(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) changed.add(name);
  return changed;
}

function rename(app: App, name: string, to: string): void {
  app.choices.change({ renamed: { ...app.step!.choice.renamed, [name]: to } });
}
