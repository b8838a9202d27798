import type { NodeTable, WeightInfo } from "../engine/engine.js";

/** A scope of names: "conv1" of "conv1/weights" and "conv1/Relu". */
export interface Scope {
  name: string;
  path: string;
  /** Number of nodes in the scope and all below it. */
  nodes: number;
  bytes: number;
  children: Scope[];
}

interface Growing extends Scope {
  byName: Map<string, Growing>;
}

function scope(name: string, path: string): Growing {
  return { name, path, nodes: 0, bytes: 0, children: [], byName: new Map() };
}

/** The tree of the scopes of some nodes of a table, and of the bytes of their values. */
export function scopesOfNodes(nodes: NodeTable, some: readonly number[]): Scope {
  const root = scope("", "");
  for (const node of some) {
    for (const each of way(root, nodes.name(node))) {
      each.nodes++;
      each.bytes += nodes.bytes(node);
    }
  }
  sort(root);
  return root;
}

/** The same of weights that have no graph. */
export function scopesOfWeights(weights: readonly WeightInfo[]): Scope {
  const root = scope("", "");
  for (const { name, bytes } of weights) for (const each of way(root, name)) each.bytes += Number(bytes);
  sort(root);
  return root;
}

// Returns the scopes of a name, created if they do not exist yet.
function way(root: Growing, name: string): Growing[] {
  const all = [root];
  for (let end = name.indexOf("/"), begin = 0; end >= 0; begin = end + 1, end = name.indexOf("/", begin)) {
    const part = name.slice(begin, end);
    const inside = all.at(-1)!;
    let child = inside.byName.get(part);
    if (!child) {
      child = scope(part, name.slice(0, end));
      inside.byName.set(part, child);
      inside.children.push(child);
    }
    all.push(child);
  }
  return all;
}

// Numbers within names by their value: layer2 before layer10.
const kOrder = new Intl.Collator("en", { numeric: true });

function sort(at: Scope): void {
  at.children.sort((a, b) => kOrder.compare(a.name, b.name));
  at.children.forEach(sort);
}
