import { html } from "lit";
import type { FunctionInfo, InspectReport, Signature, WeightInfo } from "../engine/engine.js";
import { nodeList, type Step, type Table } from "../state/state.js";
import { nodeFields, weightFields } from "../tools/node_search.js";
import { type Fields, isNarrower, matcherOf, type Term, termsOf } from "../tools/search.js";
import type { Column } from "../ui/data_table.js";
import { bytes, count } from "../ui/format.js";
import { shape } from "../words/format.js";

/** A table's rows and columns, whatever it is of. */
export interface Contents<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[] | null; // null: not listed yet
  key(row: Row): string | number;
  /** Returns the text that a filter searches. */
  text(row: Row): string;
  /** The values that filters of a search compare. */
  fields(step: Step): Fields<Row>;
  /** The node or weight that a row stands for; "" for none. */
  scoped(row: Row): string;
}

export interface ArgumentRow {
  key: string;
  signature: string;
  way: "input" | "output";
  argument: string;
  tensor: string;
  type: string;
}

// A name that is too long is elided before its last part: names differ there.
const mono = (value: string) => {
  const cut = value.lastIndexOf("/") + 1;
  return html`<code class="name" title=${value}><span>${value.slice(0, cut)}</span><span>${value.slice(cut)}</span></code>`;
};

/** Rows are places in the table of nodes. */
function nodes(step: Step, body: string): Contents<number> {
  const table = step.lists[nodeList(body)]?.nodes;
  if (!table) return { rows: null, key: Number, text: String, fields: () => ({}), scoped: String, columns: [] };
  const name = (row: number) => table.name(row);
  return {
    rows: Array.from({ length: table.length }, (_, row) => row),
    key: (row) => row,
    text: (row) => `${name(row)} ${table.op(row)} ${table.device(row)}`,
    fields: (now) => nodeFields(table, now, body),
    scoped: name,
    columns: [
      {
        name: "name",
        label: "Name",
        width: "minmax(0, 2.6fr)",
        named: true,
        value: name,
        show: (row) => mono(name(row)),
      },
      { name: "op", label: "Op", width: "minmax(0, 1.3fr)", value: (row) => table.op(row) },
      {
        name: "inputs",
        label: "Inputs",
        width: "72px",
        numeric: true,
        wide: true,
        value: (row) => table.inputCount(row),
      },
      {
        name: "size",
        label: "Size",
        width: "84px",
        numeric: true,
        value: (row) => table.bytes(row),
        show: (row) => (table.bytes(row) ? bytes(table.bytes(row)) : ""),
      },
    ],
  };
}

// Returns the kind of a weight: added by training, or its role in the graph.
function sort({ source, trainable, role, of }: WeightInfo): string {
  if (role) return `${role} of ${of ?? ""}`;
  if (source === "constant") return "constant";
  if (source === "variable") return "variable without a value";
  return trainable ? "trainable variable" : "variable";
}

function weights(step: Step): Contents<WeightInfo> {
  return {
    rows: step.lists["weights"]?.weights ?? null,
    key: ({ name }) => name,
    text: (row) => `${row.name} ${row.fullName ?? ""} ${row.dtype} ${sort(row)}`,
    fields: () => weightFields,
    scoped: ({ name }) => name,
    columns: [
      {
        name: "name",
        label: "Name",
        width: "minmax(0, 2.4fr)",
        named: true,
        value: ({ name }) => name,
        show: ({ name }) => mono(name),
      },
      { name: "dtype", label: "Type", width: "84px", wide: true, value: ({ dtype }) => dtype },
      { name: "shape", label: "Shape", width: "minmax(0, 1fr)", value: (row) => shape(row.shape) },
      { name: "kind", label: "Kind", width: "minmax(0, 1.5fr)", wide: true, value: sort },
      {
        name: "size",
        label: "Size",
        width: "84px",
        numeric: true,
        value: (row) => Number(row.bytes),
        show: (row) => bytes(row.bytes),
      },
    ],
  };
}

function functions(step: Step): Contents<FunctionInfo> {
  return {
    rows: step.lists["functions"]?.functions ?? null,
    key: ({ name }) => name,
    text: ({ name }) => name,
    fields: () => ({ name: ({ name }) => name, role: () => "function" }),
    scoped: () => "",
    columns: [
      {
        name: "name",
        label: "Name",
        width: "minmax(0, 1fr)",
        named: true,
        value: ({ name }) => name,
        show: ({ name }) => mono(name),
      },
      {
        name: "nodes",
        label: "Nodes",
        width: "96px",
        numeric: true,
        value: (row) => row.nodes,
        show: (row) => count(row.nodes),
      },
    ],
  };
}

function argumentRows(signatures: InspectReport["signatures"]): ArgumentRow[] {
  const of = (signature: string, way: "input" | "output", list: Signature["inputs"]) =>
    Object.entries(list).map(([argument, { name, dtype, shape: size }]) => ({
      key: `${signature} ${way} ${argument}`,
      signature,
      way,
      argument,
      tensor: name,
      type: `${dtype} ${shape(size)}`,
    }));
  return Object.entries(signatures).flatMap(([key, { inputs, outputs }]) => [
    ...of(key, "input", inputs),
    ...of(key, "output", outputs),
  ]);
}

function signatures({ about }: Step): Contents<ArgumentRow> {
  return {
    rows: argumentRows(about.signatures),
    key: ({ key }) => key,
    text: ({ signature, way, argument, tensor }) => `${signature} ${way} ${argument} ${tensor}`,
    fields: () => ({ name: ({ tensor }) => tensor, role: ({ way }) => way, type: ({ type }) => type.split(" ")[0]! }),
    scoped: () => "",
    columns: [
      {
        name: "signature",
        label: "Signature",
        width: "minmax(0, 1.2fr)",
        named: true,
        value: (row) => row.signature,
        show: (row) => mono(row.signature),
      },
      {
        name: "argument",
        label: "Argument",
        width: "minmax(0, 1.2fr)",
        value: (row) => row.argument,
        show: (row) => html`<span class="way">${row.way}</span> ${mono(row.argument)}`,
      },
      {
        name: "tensor",
        label: "Tensor",
        width: "minmax(0, 1.4fr)",
        wide: true,
        named: true,
        value: (row) => row.tensor,
        show: (row) => mono(row.tensor),
      },
      { name: "type", label: "Type", width: "minmax(0, 1fr)", value: (row) => row.type },
    ],
  };
}

const made = new WeakMap<object, Contents<unknown>>();

/** The same object for the same list: a table keeps its place when another list arrives. */
export function contentsOf(step: Step, table: Table, body: string): Contents<unknown> {
  const list = table === "signatures" ? step.about : step.lists[table === "nodes" ? nodeList(body) : table];
  const contents = () => ({ nodes, weights, functions, signatures })[table](step, body) as Contents<unknown>;
  if (!list) return contents();
  if (!made.has(list)) made.set(list, contents());
  return made.get(list)!;
}

/** Returns the number of rows, which is known before they are listed. `inside`: the function whose nodes are listed. */
export function countOf({ about, lists }: Step, table: Table, inside: string): number | null {
  if (table === "nodes") return inside ? (lists[nodeList(inside)]?.nodes?.length ?? null) : about.nodes;
  if (table === "functions") return about.functions;
  if (table === "signatures") return Object.keys(about.signatures).length;
  return lists["weights"]?.weights?.length ?? null;
}

interface Found {
  search: string;
  terms: readonly Term[];
  lists: Step["lists"];
  rows: readonly unknown[];
}
const searched = new WeakMap<Contents<unknown>, Found>();
const searchedTexts = new WeakMap<Contents<unknown>, Map<unknown, string>>(); // of rows
let scoped: { all: readonly unknown[]; scope: string; rows: readonly unknown[] } | null = null;

/** The rows that a search finds; the same array for the same search. */
export function matching(step: Step, contents: Contents<unknown>, search: string): readonly unknown[] {
  const { lists } = step; // filters by type and role read other lists
  const last = searched.get(contents);
  if (last?.search === search && (!search || last.lists === lists)) return last.rows;
  const terms = termsOf(search);
  const among = last?.lists === lists && isNarrower(terms, last.terms) ? last.rows : contents.rows;
  const rows = found(step, contents, terms, among ?? []);
  searched.set(contents, { search, terms, lists, rows });
  return rows;
}

/** The rows that are in a scope; the same array for the same rows. */
export function withinScope(all: readonly unknown[], contents: Contents<unknown>, scope: string): readonly unknown[] {
  if (!scope) return all;
  if (scoped?.all !== all || scoped.scope !== scope)
    scoped = { all, scope, rows: all.filter((row) => inScope(contents.scoped(row), scope)) };
  return scoped.rows;
}

// `among`: the rows that may be found.
function found(
  step: Step,
  contents: Contents<unknown>,
  terms: readonly Term[],
  among: readonly unknown[],
): readonly unknown[] {
  const { rows, text } = contents;
  if (!rows || terms.length === 0) return rows ?? [];
  const fields = terms.some(({ field }) => field) ? contents.fields(step) : {};
  if (!searchedTexts.has(contents)) searchedTexts.set(contents, new Map());
  const texts = searchedTexts.get(contents)!;
  const textOf = (row: unknown) => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const lower = text(row).toLowerCase();
    texts.set(row, lower);
    return lower;
  };
  const matches = among.filter(matcherOf(terms, rows, fields, textOf));
  return matches.length === among.length ? among : matches; // the same list, of which trees are made already
}

function inScope(name: string, scope: string): boolean {
  return name === scope || name.startsWith(`${scope}/`);
}
