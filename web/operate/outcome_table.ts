import { html, nothing } from "lit";
import type { PassReport, TransferReport } from "../engine/engine.js";
import { type Go, nameLink } from "../ui/fold.js";
import { bytes, count, counted } from "../ui/format.js";
import { shape } from "../words/format.js";

const kMostRows = 200;

/** The outcome of a transfer for every variable, in a table for each: matched, mismatched, unmatched, excluded. */
export function outcomeTables({ matched, mismatched, unmatched, excluded, initial, unused }: TransferReport, go?: Go) {
  if (!matched) return nothing;
  const outcomes = (list: TransferReport["matched"]) =>
    list.map(({ name, from, why }) => [name, from && from !== name ? from : "", why]);
  return html`
    ${table(`${count(matched.length)} matched`, ["Variable", "From", "Why"], outcomes(matched), go)}
    ${table(`${count(mismatched.length)} mismatched`, ["Variable", "From", "Why"], outcomes(mismatched), go)}
    ${table(`${count(unmatched.length)} unmatched`, ["Variable", "From", "Why"], outcomes(unmatched), go)}
    ${table(`${count(excluded.length)} excluded`, ["Variable", "From", "Why"], outcomes(excluded), go)}
    ${table(
      `${counted(initial.length, "variable")} set to the initial value`,
      ["Variable", "Initializer"],
      initial.map(({ name, from }) => [name, from.join(", ")]),
      go,
    )}
    ${table(
      `${counted(unused.length, "source weight")} unused`,
      ["Weight"],
      unused.map((name) => [name]),
    )}`;
}

/** The weights that a pass converts: the new nodes, and for un-freeze why each is a weight. */
export function convertedTable({ converted }: PassReport, go?: Go) {
  const why = converted.some((each) => each.why);
  return table(
    `${counted(converted.length, "weight")} converted`,
    ["Name", "From", "To", "Type", "Size", ...(why ? ["Confidence", "Why"] : [])],
    converted.map((each) => [
      each.name,
      each.from,
      each.to,
      `${each.dtype} ${shape(each.shape)}`,
      bytes(each.bytes),
      ...(why ? [each.confidence ?? "", each.why ?? ""] : []),
    ]),
    go,
  );
}

// Rows below a line that counts them; nothing for none. The first column is a link to the node if there is a `go`.
function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[], go?: Go) {
  if (rows.length === 0) return nothing;
  const rest = rows.length - kMostRows;
  const used = columns.map((_, i) => i === 0 || rows.some((row) => row[i]));
  const kept = <T>(cells: readonly T[]) => cells.filter((_, i) => used[i]);
  return html`
    <details class="fold small">
      <summary>${title}</summary>
      <div class="scroll" tabindex="0" role="group" aria-label=${title}>
        <table class="converted">
          <thead><tr>${kept(columns).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
          <tbody>${rows.slice(0, kMostRows).map(
            ([name, ...more]) => html`
            <tr>${kept([nameLink(name!, go), ...more] as unknown[]).map((cell) => html`<td>${cell}</td>`)}</tr>`,
          )}</tbody>
        </table>
        ${rest > 0 ? html`<p class="muted">… and ${count(rest)} more</p>` : nothing}
      </div>
    </details>`;
}
