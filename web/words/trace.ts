// Words of the commands that follow the edges of the graph from the selection.
import type { Trace, TraceKind } from "../state/state.js";
import { count, counted } from "../ui/format.js";

export const kTraceWords = {
  clear: "Clear, Esc",
  choose: "select the other node",
  listing: "listing nodes…",
  nothingSelected: "Select a node or a scope of this graph first.",
  way: "A shortest way",
};

export const kTraceLabels: Readonly<Record<TraceKind, string>> = {
  upstream: "Upstream",
  downstream: "Downstream",
  path: "Path to…",
  why: "Why needed?",
};

/** The commands' effects. */
export const kTraceHints: Readonly<Record<TraceKind, string>> = {
  upstream: "Show all that it is computed from (U)",
  downstream: "Show all that is computed from it (D)",
  path: "Show what is between it and the next node that you select (T)",
  why: "Show how the chosen outputs depend on it (W)",
};

/** "Upstream of conv1/relu: 12 of 309 nodes". */
export function traceText({ kind, from, to }: Trace, traced: { count: number; all: number } | null): string {
  if (kind === "path" && !to) return `Path from ${from}: ${kTraceWords.choose}`;
  const title = {
    upstream: `Upstream of ${from}`,
    downstream: `Downstream of ${from}`,
    path: `Between ${from} and ${to?.[0] ?? ""}`,
    why: `From ${from} to the outputs`,
  }[kind];
  if (!traced) return `${title}: ${kTraceWords.listing}`;
  if (traced.count > 0) return `${title}: ${count(traced.count)} of ${counted(traced.all, "node")}`;
  const none = {
    upstream: "no node, it has no inputs",
    downstream: "no node, nothing uses it",
    path: "there is no path",
    why: "none of them needs it",
  }[kind];
  return `${title}: ${none}`;
}
