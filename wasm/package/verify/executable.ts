import type { TfNode, Topology } from "./graph.js";

/**
 * A graph in such a form that TensorFlow.js's executor computes what TensorFlow computes; its nodes keep their names. Where it does not
 * without:
 *
 * - A PlaceholderWithDefault hands its default on, and whoever takes it finds it disposed of. An Identity makes another tensor, and may
 *   be fed as well.
 * - A constant has its value at once, whatever it waits for: in a loop within a loop its takers would run outside of both, and a Merge
 *   would take the constant of a branch that is not gone. An Identity waits in its place.
 * - What a loop takes from outside, by Enters that are constant, has its value in the first iteration alone; what is outside is
 *   found from within.
 */
export function executable(topology: Topology): Topology {
  if (!topology.node) return topology;
  const nodes = topology.node.map(withoutDefault);
  return { ...topology, node: nodes.some(({ op }) => op === "Switch") ? withRunnableLoops(nodes) : nodes };
}

function withoutDefault(node: TfNode): TfNode {
  return node.op === "PlaceholderWithDefault"
    ? { ...node, op: "Identity", attr: { T: node.attr?.["dtype"] ?? {} } }
    : node;
}

function withRunnableLoops(nodes: readonly TfNode[]): TfNode[] {
  const named = new Map(nodes.map((node) => [node.name, node]));
  const outside = (input: string): string => {
    const node = named.get(input);
    return node?.op === "Enter" && node.attr?.["is_constant"]?.b ? outside(node.input![0]!) : input;
  };
  const waiting = nodes
    .filter(({ op, input = [] }) => op === "Const" && input.length > 0)
    .map((node) => ({
      name: `${node.name} waits`,
      op: "Identity",
      input: [node.name, ...node.input!],
      attr: { T: node.attr?.["dtype"] ?? {} },
    }));
  const waits = new Map(waiting.map(({ name, input }) => [input[0]!, name]));
  const taking = nodes.map((node) => ({
    ...node,
    input: (node.input ?? []).map(outside).map((input) => waits.get(input) ?? input),
  }));
  return [...taking, ...waiting];
}
