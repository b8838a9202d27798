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
  const tree = new Tree();
  for (const node of some) tree.add(nodes.name(node), 1, nodes.bytes(node));
  return tree.finish();
}

/** The same of weights that have no graph. */
export function scopesOfWeights(weights: readonly WeightInfo[]): Scope {
  const tree = new Tree();
  for (const { name, bytes } of weights) tree.add(name, 0, Number(bytes));
  return tree.finish();
}

class Tree {
  #root = scope("", "");
  #last = this.#root; // most names are in the scope of the one before

  add(name: string, nodes: number, bytes: number): void {
    const path = name.slice(0, Math.max(name.lastIndexOf("/"), 0));
    if (path !== this.#last.path) this.#last = this.#find(path);
    this.#last.nodes += nodes;
    this.#last.bytes += bytes;
  }

  finish(): Scope {
    complete(this.#root);
    return this.#root;
  }

  // Returns a scope, created if it does not exist yet.
  #find(path: string): Growing {
    if (!path) return this.#root;
    let inside = this.#root;
    let end = -1; // of the part's path
    for (const part of path.split("/")) {
      end += part.length + 1;
      let child = inside.byName.get(part);
      if (!child) {
        child = scope(part, path.slice(0, end));
        inside.byName.set(part, child);
        inside.children.push(child);
      }
      inside = child;
    }
    return inside;
  }
}

// Numbers within names by their value: layer2 before layer10.
const kOrder = new Intl.Collator("en", { numeric: true });

// Adds what is below, and sorts.
function complete(at: Scope): void {
  at.children.sort((a, b) => kOrder.compare(a.name, b.name));
  for (const child of at.children) {
    complete(child);
    at.nodes += child.nodes;
    at.bytes += child.bytes;
  }
}
