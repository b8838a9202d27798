import type { FunctionInfo, NodeTable, TensorInfo, WeightInfo } from "../engine/engine.js";
import type { Step } from "../state/state.js";
import { shape } from "../words/format.js";
import type { Fields } from "./search.js";

const kRoles: readonly (readonly [role: string, ops: RegExp])[] = [
  ["variable", /^(Variable(V2)?|AutoReloadVariable|VarHandleOp)$/],
  ["placeholder", /^Placeholder/],
  ["constant", /^Const$/],
  ["function", /^((Stateful)?PartitionedCall|(Stateless)?(If|While|Case)|SymbolicGradient|RemoteCall)$/],
];

/**
 * The fields of nodes by their places. Types and shapes are known of weights and of likely inputs and outputs. `body`: the
 * function that has the nodes; "" for the main graph.
 */
export function nodeFields(nodes: NodeTable, { about, lists }: Step, body: string): Fields<number> {
  const name = (node: number) => nodes.name(node);
  const functions = new Set(lists["functions"]?.functions?.map((each: FunctionInfo) => each.name));
  const roles = new Map<string, string[]>();
  const tensors = new Map<string, TensorInfo>();
  const add = (node: string, tensor: TensorInfo, ...more: string[]) => {
    tensors.set(node, tensor);
    roles.set(node, [...(roles.get(node) ?? []), ...more]);
  };
  const ends = (list: readonly TensorInfo[], role: string) =>
    list.forEach((each) => add(each.name.replace(/:0$/, ""), each, role));
  if (!body) {
    for (const each of lists["weights"]?.weights ?? []) if (each.node) add(each.node, each, ...weightRoles(each));
    ends(about.inputs, "input");
    ends(about.outputs, "output");
  }
  const ofOp = new Map<string, string[]>();
  const opRoles = (op: string) => {
    if (!ofOp.has(op)) {
      const found = kRoles.filter(([, ops]) => ops.test(op)).map(([role]) => role);
      ofOp.set(op, functions.has(op) ? [...found, "function"] : found);
    }
    return ofOp.get(op)!;
  };
  return {
    name,
    scope: name,
    op: (node) => nodes.op(node),
    device: (node) => nodes.device(node),
    type: (node) => tensors.get(name(node))?.dtype ?? [],
    shape: (node) => shapeOf(tensors.get(name(node))),
    role: (node) => [...opRoles(nodes.op(node)), ...(roles.get(name(node)) ?? [])],
  };
}

/** The fields of weights. */
export const weightFields: Fields<WeightInfo> = {
  name: ({ name }) => name,
  scope: ({ name }) => name,
  type: ({ dtype }) => dtype,
  shape: (row) => shapeOf(row),
  role: (row) => weightRoles(row),
};

function weightRoles({ source, trainable, role }: WeightInfo): string[] {
  const kind = source === "constant" ? "constant" : "variable";
  return ["weight", kind, ...(trainable ? ["trainable"] : []), ...(role ? [role] : [])];
}

function shapeOf(tensor: TensorInfo | undefined): string | readonly string[] {
  return tensor?.shape ? shape(tensor.shape) : [];
}
