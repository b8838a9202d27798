import { html } from "lit";
import type { Integer, Totals } from "../app/engine.js";
import { bytes, count } from "../words/format.js";
import { kWords } from "../words/words.js";

/** Before and after, in a table. */
export function totals({ before, after }: { before: Totals; after: Totals }) {
  const rows: [string, Integer, Integer, (value: Integer) => string][] = [
    ["Nodes", before.nodes, after.nodes, count],
    ["Variables", before.variables, after.variables, count],
    ["Constants", before.constants, after.constants, count],
    ["Size", before.bytes, after.bytes, bytes],
  ];
  return html`
    <table class="totals">
      <thead><tr><td></td><th scope="col">${kWords.before}</th><th scope="col">${kWords.after}</th><th scope="col">${kWords.change}</th></tr></thead>
      <tbody>
        ${rows.map(
          ([name, old, now, show]) => html`
          <tr><th scope="row">${name}</th><td>${show(old)}</td><td>${show(now)}</td><td>${difference(old, now)}</td></tr>`,
        )}
      </tbody>
    </table>`;
}

function difference(old: Integer, now: Integer): string {
  const change = Number(now) - Number(old);
  if (change === 0) return "same";
  if (Number(old) === 0) return `+${count(change)}`;
  const percent = Math.abs(change / Number(old)) * 100;
  if (percent > 999) return `× ${count(Math.round(Number(now) / Number(old)))}`;
  return `${change < 0 ? "−" : "+"}${percent < 1 ? Number(percent.toPrecision(1)) : Math.round(percent)} %`;
}
