import { nothing } from "lit";
import type { PassReport, TransferReport } from "../engine/engine.js";
import type { Go } from "../ui/fold.js";
import { bytes, count, counted } from "../ui/format.js";
import { foldedTable, type TextTable } from "../ui/text_table.js";
import { shape } from "../words/format.js";

/** Returns whether a pass was transfer. */
export function isTransfer(report: PassReport): report is TransferReport {
  return "matched" in report;
}

/** The outcome of a transfer for every variable, in a table for each: matched, mismatched, unmatched, excluded. */
export function outcomeTables(report: TransferReport, go?: Go) {
  if (!report.matched) return nothing;
  const tables = tablesOf(report, outcomes);
  return tables.map((table, i) => foldedTable(table, i === tables.length - 1 ? undefined : go));
}

/** The weights that a pass converts: the new nodes, and for un-freeze why each is a weight; and what else it changes. */
export function convertedTable(report: PassReport, go?: Go) {
  return tablesOf(report, conversions).map((table) => foldedTable(table, go));
}

const made = new WeakMap<(report: never) => readonly TextTable[], WeakMap<object, readonly TextTable[]>>();

// The same tables for the same report.
function tablesOf<Report extends object>(
  report: Report,
  make: (report: Report) => readonly TextTable[],
): readonly TextTable[] {
  if (!made.has(make)) made.set(make, new WeakMap());
  const all = made.get(make)!;
  if (!all.has(report)) all.set(report, make(report));
  return all.get(report)!;
}

// The last one is of the source's weights.
function outcomes({ matched, mismatched, unmatched, excluded, initial, unused }: TransferReport): TextTable[] {
  const table = (list: TransferReport["matched"], outcome: string) => ({
    title: `${count(list.length)} ${outcome}`,
    columns: ["Variable", "From", "Why"],
    rows: list.map(({ name, from, why }) => [name, from && from !== name ? from : "", why]),
  });
  return [
    table(matched, "matched"),
    table(mismatched, "mismatched"),
    table(unmatched, "unmatched"),
    table(excluded, "excluded"),
    {
      title: `${counted(initial.length, "variable")} set to the initial value`,
      columns: ["Variable", "Initializer"],
      rows: initial.map(({ name, from }) => [name, from.join(", ")]),
    },
    {
      title: `${counted(unused.length, "source weight")} unused`,
      columns: ["Weight"],
      rows: unused.map((name) => [name]),
    },
  ];
}

function conversions({ converted, changes = [] }: PassReport): TextTable[] {
  const table = {
    title: `${counted(converted.length, "weight")} converted`,
    columns: ["Name", "From", "To", "Type", "Size", "Confidence", "Why"],
    rows: converted.map((each) => [
      each.name,
      each.from,
      each.to,
      `${each.dtype} ${shape(each.shape)}`,
      bytes(each.bytes),
      each.confidence ?? "",
      each.why ?? "",
    ]),
  };
  const others = {
    title: counted(changes.length, "change"),
    columns: ["Node", "Change", "Why"],
    rows: changes.map(({ node, change, why }) => [node, change, why]),
  };
  return [table, others];
}

/** The parts that are lost, and the nodes that need them. */
export function lostTables(report: PassReport, go: Go) {
  const [parts, nodes] = tablesOf(report, losses);
  return [foldedTable(parts!), foldedTable(nodes!, go)];
}

function losses({ lost = [], incomplete = [] }: PassReport): TextTable[] {
  const parts = {
    title: `${counted(lost.length, "part")} lost`,
    columns: ["Part", "Kind", "Size", "File", "Offset", "Why"],
    rows: lost.map((each) => [
      each.name ?? "",
      each.dtype ? `${each.what} ${each.dtype} ${shape(each.shape ?? null)}` : each.what,
      bytes(each.bytes),
      each.file ?? "",
      each.offset === undefined ? "" : String(each.offset),
      each.why,
    ]),
  };
  const nodes = {
    title: `${counted(incomplete.length, "node")} without what it needs`,
    columns: ["Node", "Needs"],
    rows: incomplete.map(({ node, needs }) => [node, needs.join(", ")]),
  };
  return [parts, nodes];
}
