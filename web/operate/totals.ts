import { html } from "lit";
import type { Integer, Totals } from "../engine/engine.js";
import { bytes, count } from "../ui/format.js";
import { kWords } from "../words/words.js";

/** The sizes of the files before and after; `estimated`: the files after are not written yet. */
export interface Sizes {
  before: Integer;
  after: Integer;
  estimated: boolean;
}

/** Before and after, in a table. */
export function totals({ before, after }: { before: Totals; after: Totals }, sizes: Sizes) {
  const rows: [string, Integer, Integer, (value: Integer) => string, about: string][] = [
    ["Nodes", before.nodes, after.nodes, count, ""],
    ["Variables", before.variables, after.variables, count, ""],
    ["Constants", before.constants, after.constants, count, ""],
    ["Size", sizes.before, sizes.after, bytes, sizes.estimated ? "≈ " : ""],
  ];
  return html`
    <table class="totals">
      <thead><tr><td></td><th scope="col">${kWords.before}</th><th scope="col">${kWords.after}</th><th scope="col">${kWords.change}</th></tr></thead>
      <tbody>
        ${rows.map(
          ([name, old, now, show, about]) => html`
          <tr><th scope="row">${name}</th><td>${show(old)}</td><td>${about}${show(now)}</td><td>${difference(old, now, show)}</td></tr>`,
        )}
      </tbody>
    </table>`;
}

function difference(old: Integer, now: Integer, show: (value: Integer) => string): string {
  const change = Number(now) - Number(old);
  return change === 0 ? "same" : `${change < 0 ? "−" : "+"}${show(Math.abs(change))}`;
}
