import type { NodeTable } from "../engine/engine.js";

/** The neighbors of all nodes in one array: those of node n end at `ends[n]`. A negative one is missing. */
interface Neighbors {
  ends: Uint32Array;
  nodes: Int32Array;
}

const flows = new WeakMap<NodeTable, NodeFlow>();

/**
 * The edges of a graph in both directions, control inputs included. Nodes are numbers, as in the table. Every function
 * takes time linear in nodes and edges, and no recursion.
 */
export class NodeFlow {
  readonly length: number;
  readonly #inputs: Neighbors;
  readonly #consumers: Neighbors;

  constructor({ inputEnds, inputs }: { inputEnds: Uint32Array; inputs: Int32Array }) {
    this.length = inputEnds.length;
    this.#inputs = { ends: inputEnds, nodes: inputs };
    this.#consumers = turned(this.#inputs);
  }

  /** Returns the flow of a table, which is made once. */
  static of(nodes: NodeTable): NodeFlow {
    const flow = flows.get(nodes) ?? new NodeFlow(nodes.columns());
    flows.set(nodes, flow);
    return flow;
  }

  /** Returns 1 for every node that one of `nodes` is computed from, and for these. */
  upstream(nodes: Iterable<number>): Uint8Array {
    return walk(this.#inputs, nodes).reached;
  }

  /** Returns 1 for every node that is computed from one of `nodes`, and for these. */
  downstream(nodes: Iterable<number>): Uint8Array {
    return walk(this.#consumers, nodes).reached;
  }

  /** Returns a shortest path along consumers, with both ends; empty if there is no path. */
  shortest(from: Iterable<number>, to: Iterable<number>): number[] {
    const ends = new Uint8Array(this.length);
    for (const node of to) ends[node] = 1;
    const { order, cause } = walk(this.#consumers, from);
    const found = order.find((node) => ends[node] === 1);
    const path: number[] = [];
    for (let node = found ?? -1; node >= 0; node = cause[node]!) path.push(node);
    return path.reverse();
  }
}

/** Returns the nodes that both sets have. */
export function intersection(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((has, node) => has & b[node]!);
}

/** Returns the numbers of the nodes of a set, in order. */
export function members(set: Uint8Array): number[] {
  const all: number[] = [];
  for (let node = 0; node < set.length; node++) if (set[node]) all.push(node);
  return all;
}

// Breadth first. `order`: the reached nodes; `cause`: the one that each was reached from, -1 for the first ones.
function walk({ ends, nodes }: Neighbors, from: Iterable<number>) {
  const reached = new Uint8Array(ends.length);
  const queue = new Int32Array(ends.length);
  const cause = new Int32Array(ends.length).fill(-1);
  let length = 0;
  for (const node of from) {
    if (reached[node]) continue;
    reached[node] = 1;
    queue[length++] = node;
  }
  for (let at = 0; at < length; at++) {
    const node = queue[at]!;
    for (let i = firstOf(ends, node); i < ends[node]!; i++) {
      const next = nodes[i]!;
      if (next < 0 || reached[next]) continue;
      reached[next] = 1;
      cause[next] = node;
      queue[length++] = next;
    }
  }
  return { reached, order: queue.subarray(0, length), cause };
}

// The same edges from their other ends.
function turned({ ends, nodes }: Neighbors): Neighbors {
  const last = new Uint32Array(ends.length);
  let known = 0;
  for (const node of nodes) {
    if (node < 0) continue;
    last[node]!++;
    known++;
  }
  for (let node = 1; node < last.length; node++) last[node]! += last[node - 1]!;
  const next = new Uint32Array(ends.length);
  next.set(last.subarray(0, Math.max(last.length - 1, 0)), Math.min(1, last.length));
  const sources = new Int32Array(known);
  for (let node = 0; node < ends.length; node++) {
    for (let i = firstOf(ends, node); i < ends[node]!; i++) {
      const from = nodes[i]!;
      if (from >= 0) sources[next[from]!++] = node;
    }
  }
  return { ends: last, nodes: sources };
}

function firstOf(ends: Uint32Array, node: number): number {
  return node === 0 ? 0 : ends[node - 1]!;
}
