import { html, nothing } from "lit";
import "./data_table.js";
import type { Column } from "./data_table.js";
import { type Go, nameLink } from "./fold.js";

/** A table of texts. */
export interface TextTable {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

const kRowHeight = 28;
const kMaxRows = 12; // are seen at a time
const kMaxLetters = 60; // of a column; longer texts are elided

/** A table of texts below its title, which opens it; nothing without rows. With `go`, the first column has links. */
export function foldedTable(table: TextTable, go?: Go) {
  if (table.rows.length === 0) return nothing;
  return html`
    <details class="fold small">
      <summary>${table.title}</summary>
      ${textTable(table, go)}
    </details>`;
}

/** A table of any number of rows of texts. REQUIRES: the same object for the same table, so that it stays where it was scrolled. */
export function textTable(table: TextTable, go?: Go) {
  const columns = columnsOf(table, go);
  return html`
    <data-table class="inset texts" .rows=${table.rows} .columns=${columns.all} .keyOf=${columns.key} .label=${table.title} .rowHeight=${kRowHeight}
      .mostRows=${kMaxRows} .style=${`--table-width: ${columns.width}ch`}></data-table>`;
}

interface Columns {
  all: readonly Column<readonly string[]>[];
  key: (row: readonly string[]) => number;
  width: number;
}

const kWithout = new WeakMap<TextTable, Columns>(); // links
const kWithLinks = new WeakMap<TextTable, Columns>();

// Empty columns are not shown, but for the first.
function columnsOf(table: TextTable, go?: Go): Columns {
  const made = go ? kWithLinks : kWithout;
  const known = made.get(table);
  if (known) return known;
  const places = new Map(table.rows.map((row, i) => [row, i]));
  const used = table.columns.map((_, i) => i).filter((i) => i === 0 || table.rows.some((row) => row[i]));
  const widths = used.map((i) => Math.min(kMaxLetters, longest(table, i)) + 3);
  const columns: Columns = {
    all: used.map((i, at) => ({
      name: String(i),
      label: table.columns[i]!,
      width: `minmax(${widths[at]}ch, ${widths[at]}fr)`,
      value: (row) => row[i] ?? "",
      show: (row) => (i === 0 ? nameLink(row[0]!, go) : html`<span title=${row[i] ?? ""}>${row[i]}</span>`),
    })),
    key: (row) => places.get(row)!,
    width: widths.reduce((sum, width) => sum + width, 0) + 2 * used.length,
  };
  made.set(table, columns);
  return columns;
}

function longest({ columns, rows }: TextTable, column: number): number {
  return rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), columns[column]!.length);
}
