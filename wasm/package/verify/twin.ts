import { CryographError } from "../base/errors.js";
import { classesOf } from "./classes.js";
import { differenceOf, type Value } from "./difference.js";
import { type Graph, nodeOf, type TfNode } from "./graph.js";
import type { Runner } from "./runner.js";
import type { Classes, TensorDifference } from "./types.js";

/** A tensor as the two models call it. */
export interface Target {
  a: string;
  b: string;
}

/**
 * A tensor of both models: its value's type and shape in the first, and how the second differs; or why one of them did not compute it.
 * `remark`: of a value that says little, ", but it has no elements".
 */
export type Comparison =
  | { dtype: string; shape: number[]; difference: TensorDifference | null; classes: Classes | null; remark: string }
  | { failed: string };

/** So many tensors are held at once, of each model. */
const kAtOnce = 48;

// Ops whose output is a handle: a number that identifies a resource.
const kHandles =
  /^(TensorArray(?!Read|Gather|Concat|Size)|TensorList(?!GetItem|Stack|Gather|Concat|Length)|EmptyTensorList|.*HashTable|.*Iterator)/;

/** A node that TensorFlow.js cannot run, because it lacks an op. */
export interface Blocker {
  node: string;
  op: string;
}

/** Two models that run on the same input. */
export class Twin {
  #blocked: readonly [ReadonlyMap<string, Blocker>, ReadonlyMap<string, Blocker>];

  /**
   * `missing`: the ops that TensorFlow.js does not have. `check` is called between runs; an exception from it ends the
   * work.
   */
  constructor(
    readonly a: Runner,
    readonly b: Runner,
    missing: ReadonlySet<string>,
    private readonly tolerance: number,
    private readonly check: () => void,
  ) {
    this.#blocked = [blockedNodes(a.graph, missing), blockedNodes(b.graph, missing)];
  }

  /** Returns the node that keeps a tensor from being computed; null if none is known. */
  blockedBy({ a, b }: Target): Blocker | null {
    return this.#blocked[0].get(nodeOf(a)) ?? this.#blocked[1].get(nodeOf(b)) ?? null;
  }

  /** The last tensors on the way to one that is blocked. */
  before({ a }: Target): Target[] {
    const { graph } = this.a;
    const isBlocked = (name: string) => this.blockedBy({ a: name, b: name }) !== null;
    const last = graph
      .behind(nodeOf(a))
      .filter(isBlocked)
      .flatMap((name) => graph.inputs(name))
      .filter(
        (tensor) =>
          !isBlocked(tensor) && graph.node(nodeOf(tensor))?.op !== "Const" && this.#isComparable(nodeOf(tensor)),
      );
    return [...new Set(last)].map((name) => ({ a: name, b: name }));
  }

  async compare(targets: readonly Target[]): Promise<Comparison[]> {
    if (targets.length > kAtOnce) {
      return [...(await this.compare(targets.slice(0, kAtOnce))), ...(await this.compare(targets.slice(kAtOnce)))];
    }
    if (targets.length === 0) return [];
    this.check();
    try {
      const left = await this.a.run(targets.map(({ a }) => a));
      const right = await this.b.run(targets.map(({ b }) => b));
      return left.map((value, i) => comparison(value, right[i]!, this.tolerance));
    } catch (error) {
      if (targets.length === 1) return [{ failed: messageOf(error) }];
      const half = targets.length >> 1;
      return [...(await this.compare(targets.slice(0, half))), ...(await this.compare(targets.slice(half)))];
    }
  }

  /**
   * Searches back through the graph from a tensor that is bad (differs, or is not computed) for one that is bad while
   * all its inputs are good. Tries tensors spread over all predecessors; the first bad one has fewer predecessors; and
   * so on.
   */
  async origin(
    from: Target,
    isBad: (found: Comparison) => boolean,
  ): Promise<{ tensor: Target; found: Comparison | null }> {
    let culprit: { tensor: Target; found: Comparison | null } = { tensor: from, found: null };
    const good = new Set<string>();
    for (;;) {
      const suspects = this.#suspects(culprit.tensor).filter((name) => !good.has(name));
      const tried = spread(suspects, this.#inputs(culprit.tensor)).map((name) => ({ a: name, b: name }));
      const found = await this.compare(tried);
      const bad = found.findIndex(isBad);
      found.forEach((each, i) => {
        if (!isBad(each)) good.add(tried[i]!.a);
      });
      if (bad >= 0) culprit = { tensor: tried[bad]!, found: found[bad]! };
      else if (tried.length === suspects.length || this.#inputs(culprit.tensor).every((name) => good.has(name)))
        return culprit;
    }
  }

  #inputs({ a }: Target): string[] {
    return this.a.graph.inputs(nodeOf(a));
  }

  // Returns the predecessors of a tensor that can be compared, in order.
  #suspects(of: Target): string[] {
    const { graph } = this.a;
    const behind = graph.behind(nodeOf(of.a));
    const taken = new Map<string, Set<string>>();
    for (const name of behind) {
      for (const input of graph.inputs(name)) {
        const tensors = taken.get(nodeOf(input)) ?? new Set();
        taken.set(nodeOf(input), tensors.add(input));
      }
    }
    return behind.flatMap((name) => (this.#isComparable(name) ? [...(taken.get(name) ?? [])] : []));
  }

  #isComparable(name: string): boolean {
    return [this.a.graph, this.b.graph].every((graph) => {
      const node = graph.node(name);
      return (
        node &&
        !node.op.startsWith("Placeholder") &&
        !isHandle(node) &&
        graph.hasOneValue(name) &&
        !graph.isRandom(name)
      );
    });
  }
}

// Also for nodes that pass a handle on.
function isHandle({ op, attr }: TfNode): boolean {
  return kHandles.test(op) || attr?.["T"]?.type === "DT_RESOURCE" || attr?.["T"]?.type === "DT_VARIANT";
}

function comparison(left: Value, right: Value, tolerance: number): Comparison {
  const { dtype, shape } = left;
  return {
    dtype,
    shape,
    difference: differenceOf(left, right, tolerance),
    classes: classesOf(left, right),
    remark: remarkOf(left),
  };
}

function remarkOf({ data }: Value): string {
  if (data.length === 0) return ", but it has no elements";
  return data instanceof Float32Array && data.every(Number.isNaN) ? ", but all of it is NaN" : "";
}

function blockedNodes(graph: Graph, missing: ReadonlySet<string>): Map<string, Blocker> {
  const blocked = new Map<string, Blocker>();
  for (const node of graph.order) {
    const op = [...graph.ops(node)].find((each) => missing.has(each));
    if (op !== undefined) blocked.set(node, { node, op });
  }
  for (let known = -1; known < blocked.size;) {
    // repeated for values of a loop's next iteration
    known = blocked.size;
    for (const node of graph.order) {
      const before = blocked.has(node) ? undefined : graph.takes(node).find((taken) => blocked.has(taken));
      if (before !== undefined) blocked.set(node, blocked.get(before)!);
    }
  }
  return blocked;
}

// Some of the list, at even distances, in its order; with those that have to be among them.
function spread(list: readonly string[], wanted: readonly string[]): string[] {
  const step = Math.max(1, Math.ceil(list.length / (kAtOnce / 2)));
  const chosen = new Set(wanted);
  return list.filter((name, i) => i % step === 0 || chosen.has(name));
}

function messageOf(error: unknown): string {
  if (error instanceof CryographError) return error.diagnostics[0]?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
