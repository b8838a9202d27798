// A graph as TensorFlow.js keeps it: the JSON form of a GraphDef.

export interface TfNode {
  name: string;
  op: string;
  input?: string[];
  attr?: Record<string, TfAttr>;
}

export interface TfAttr {
  type?: string | number;
  shape?: { dim?: { size?: string | number }[]; unknownRank?: boolean };
  func?: { name: string };
  b?: boolean;
}

export interface Topology {
  node?: TfNode[];
  library?: { function?: { signature: { name: string }; nodeDef?: TfNode[] }[] };
}

// Ops whose values differ in each run of TensorFlow.js.
const kRandom = new Set([
  "Multinomial",
  "RandomStandardNormal",
  "RandomUniform",
  "RandomUniformInt",
  "TruncatedNormal",
]);

/** "^a" and "a:1" are of the node "a". */
export function nodeOf(tensor: string): string {
  return tensor.replace(/^\^/, "").replace(/:\d+$/, "");
}

/** The dependencies between the nodes of the main graph. */
export class Graph {
  /** Each node after those that it takes; an iteration's way back is not taken. */
  readonly order: readonly string[];
  #nodes: ReadonlyMap<string, TfNode>;
  #functions: ReadonlyMap<string, TfNode[]>;
  #depth = new Map<string, number>();
  #random = new Set<string>();

  constructor({ node = [], library }: Topology) {
    this.#nodes = new Map(node.map((each) => [each.name, each]));
    this.#functions = new Map(library?.function?.map(({ signature, nodeDef = [] }) => [signature.name, nodeDef]));
    this.order = this.#sorted(this.#nodes.keys());
    for (const name of this.order) {
      this.#depth.set(name, this.#depthOf(name));
      if (kRandom.has(this.node(name)!.op) || this.needs(name).some((need) => this.#random.has(need)))
        this.#random.add(name);
    }
  }

  node(name: string): TfNode | undefined {
    return this.#nodes.get(name);
  }

  placeholders(): TfNode[] {
    return [...this.#nodes.values()].filter(({ op }) => op.startsWith("Placeholder"));
  }

  /** The tensors that a node takes: "a", "a:1". */
  inputs(name: string): string[] {
    return (this.node(name)?.input ?? []).filter((input) => !input.startsWith("^"));
  }

  /** The nodes that it takes something of or waits for. */
  takes(name: string): string[] {
    return (this.node(name)?.input ?? []).map(nodeOf).filter((taken) => this.#nodes.has(taken));
  }

  /** Like inputs(), without edges from the next iteration: the values needed before its first run. */
  needs(name: string): string[] {
    return this.takes(name).filter((need) => this.node(need)!.op !== "NextIteration");
  }

  /** Returns nodes with all their predecessors, a loop's body too; in order. */
  behind(...names: string[]): string[] {
    const found = new Set(names);
    for (const name of found) for (const taken of this.takes(name)) found.add(taken);
    return this.order.filter((name) => found.has(name));
  }

  /** A value for each run: not so inside of a loop or a branch. */
  hasOneValue(name: string): boolean {
    return this.#depth.get(name) === 0;
  }

  /** Returns true if its value differs in each run. */
  isRandom(name: string): boolean {
    return this.#random.has(name);
  }

  /** The ops of a node: its own, and those of the functions that it calls. */
  ops(name: string): Set<string> {
    const found = new Set<string>();
    const called = new Set<string>();
    const add = ({ op, attr = {} }: TfNode) => {
      if (!this.#functions.has(op)) found.add(op);
      for (const callee of [op, ...Object.values(attr).map(({ func }) => func?.name ?? "")]) {
        const body = this.#functions.get(callee);
        if (!body || called.has(callee)) continue;
        called.add(callee);
        body.forEach(add);
      }
    };
    add(this.node(name)!);
    return found;
  }

  // Depth first, without recursion: graphs are deeper than stacks.
  #sorted(names: Iterable<string>): string[] {
    const done = new Set<string>();
    for (const name of names) {
      const open = [{ name, needs: this.needs(name) }];
      const opened = new Set([name]);
      while (open.length > 0 && !done.has(name)) {
        const top = open.at(-1)!;
        const next = top.needs.pop();
        if (next === undefined) done.add(open.pop()!.name);
        else if (!done.has(next) && !opened.has(next)) {
          opened.add(next);
          open.push({ name: next, needs: this.needs(next) });
        }
      }
    }
    return [...done];
  }

  // How many branches and frames of loops it is in.
  #depthOf(name: string): number {
    const { op, input = [] } = this.node(name)!;
    const outer = Math.max(0, ...this.needs(name).map((need) => this.#depth.get(need) ?? 0));
    if (/^(Ref)?(Switch|Enter)$/.test(op)) return outer + 1;
    if (/^(Ref)?Exit$/.test(op)) return Math.max(0, outer - 2); // of the frame, and of the Switch that it comes from
    const loops = input.some((each) => this.node(nodeOf(each))?.op === "NextIteration");
    return /^(Ref)?Merge$/.test(op) && !loops ? Math.max(0, outer - 1) : outer;
  }
}
