import type { NodeTable } from "../engine/engine.js";
import { nodeList, type Step, type Trace, type TraceKind } from "../state/state.js";
import type { Store } from "../state/store.js";
import { intersection, members, NodeFlow } from "../tools/node_flow.js";
import { nodesOfSelection, selectionOf } from "../tools/selection.js";
import { traceText } from "../words/trace.js";

/** The nodes of a trace. */
export interface Traced {
  names: readonly string[];
  /** The nodes that count: without those that the trace starts from, unless it is a path. */
  count: number;
  /** The nodes of the graph. */
  all: number;
  /** A shortest way from the selection to the other end; empty for upstream and downstream. */
  way: readonly string[];
}

const known = new WeakMap<Trace, { nodes: NodeTable; traced: Traced }>();

/** Follows the edges of the graph from the selection, and keeps the trace until it is cleared. */
export class Tracer {
  #walked = "";
  #last: { nodes: NodeTable | null; selection: string; known: boolean } = { nodes: null, selection: "", known: false };

  constructor(private readonly store: Store) {}

  /** The trace of the graph that is looked at. */
  get current(): Trace | null {
    const { step, state } = this.store;
    const { trace } = state.view;
    return trace && trace.step === step?.id && trace.body === state.browse.body ? trace : null;
  }

  /**
   * Returns true if a selection is nodes of the graph that is looked at. Sections of large groups, stacks, and what a call
   * has in place of it are not: nothing is known about their edges.
   */
  isKnown(selection: string): boolean {
    const { step, state } = this.store;
    if (!selection.endsWith("/")) return selection !== "";
    const nodes = step?.lists[nodeList(state.browse.body)]?.nodes;
    if (!nodes) return false;
    if (this.#last.nodes !== nodes || this.#last.selection !== selection) {
      this.#last = { nodes, selection, known: nodesOfSelection(nodes, selection).length > 0 };
    }
    return this.#last.known;
  }

  /** Starts a trace at the selection; the same one again ends it. Returns false if the selection has no known nodes. */
  start(kind: TraceKind): boolean {
    const { step, state } = this.store;
    const from = selectionOf(state);
    if (!step || !this.isKnown(from)) return false;
    const { current } = this;
    if (current?.kind === kind && current.from === from) return this.clear();
    const { body } = state.browse;
    const to = kind === "path" ? null : kind === "why" ? outputsOf(step) : [];
    this.#set({ kind, step: step.id, body, from, to, open: kind === "path" });
    return true;
  }

  /** Returns true if there was a trace. */
  clear(): boolean {
    if (!this.current) return false;
    this.#set(null);
    return true;
  }

  /** Notes that an arrow key moves to a selection: it is not yet the other end of a path. */
  walkTo(selection: string): void {
    this.#walked = selection;
  }

  /** To be called after every change of the state: a path leads to what is selected next, and along with arrow keys. */
  update(): void {
    const { current: trace } = this;
    const to = selectionOf(this.store.state);
    if (!trace?.open || to === trace.from || !this.isKnown(to)) return;
    const open = to === this.#walked;
    if (to !== trace.to?.[0] || !open) this.#set({ ...trace, to: [to], open });
  }

  /** Returns the nodes of a trace; null while a path has one end, or nodes are not listed. */
  traced(trace: Trace): Traced | null {
    const nodes = this.store.step?.lists[nodeList(trace.body)]?.nodes;
    if (!nodes || !trace.to) return null;
    const kept = known.get(trace);
    if (kept?.nodes === nodes) return kept.traced;
    const traced = followed(nodes, trace);
    known.set(trace, { nodes, traced });
    return traced;
  }

  #set(trace: Trace | null): void {
    const { view, announcement } = this.store.state;
    this.store.set({
      view: { ...view, trace },
      announcement: trace ? traceText(trace, this.traced(trace)) : announcement,
    });
  }
}

// The chosen outputs, else the likely ones.
function outputsOf({ about, choice }: Step): string[] {
  const names = choice.outputs.size > 0 ? [...choice.outputs] : about.outputs.map(({ name }) => name);
  return names.map((name) => name.replace(/:\d+$/, ""));
}

function followed(nodes: NodeTable, { kind, from, to }: Trace): Traced {
  const flow = NodeFlow.of(nodes);
  const [first, last] = [nodesOfSelection(nodes, from), to!.flatMap((name) => nodesOfSelection(nodes, name))];
  const named = (some: readonly number[]) => some.map((node) => nodes.name(node));
  const made = (some: readonly number[], way: readonly number[], count: number): Traced => ({
    names: named(some),
    count,
    all: nodes.length,
    way: named(way),
  });
  if (kind === "upstream" || kind === "downstream") {
    const reached = members(kind === "upstream" ? flow.upstream(first) : flow.downstream(first));
    return made(reached, [], reached.length - first.length);
  }
  const between = (a: number[], b: number[]) => members(intersection(flow.downstream(a), flow.upstream(b)));
  const forward = between(first, last);
  if (forward.length > 0 || kind === "why") return made(forward, flow.shortest(first, last), forward.length);
  const back = between(last, first);
  return made(back, flow.shortest(last, first), back.length);
}
