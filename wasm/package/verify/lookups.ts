import type { Value } from "./difference.js";
import { type Graph, nodeOf } from "./graph.js";

/** The whole numbers that an input may have: 0 to `count` - 1. `table`: the tensor that they index. */
export interface Range {
  count: number;
  table: string;
}

/** Computes a tensor; null: it cannot be computed. */
export type Compute = (tensor: string) => Promise<Value | null>;

/** An op that takes indices: the position of that input, and how many there are to choose from. */
interface Lookup {
  indices: number;
  table: number;
  count(inputs: readonly string[], compute: Compute): Promise<number | undefined>;
}

// A dimension of an input; negative: from the last one.
const dim =
  (input: number, axis: number): Lookup["count"] =>
  async (inputs, compute) =>
    (await compute(inputs[input]!))?.shape.at(axis);

const anyDim =
  (input: number): Lookup["count"] =>
  async (inputs, compute) => {
    const shape = (await compute(inputs[input]!))?.shape;
    return shape && Math.min(...shape);
  };

// The smallest element of an input.
const least =
  (input: number): Lookup["count"] =>
  async (inputs, compute) => {
    const value = await compute(inputs[input]!);
    return value ? Math.min(...Array.from(value.data as ArrayLike<number>)) : undefined;
  };

const alongAxis: Lookup["count"] = async (inputs, compute) => {
  const axis = await compute(inputs[2]!);
  return axis ? dim(0, Number(axis.data[0]))(inputs, compute) : undefined;
};

const kLookups: Readonly<Record<string, Lookup>> = {
  Gather: { indices: 1, table: 0, count: dim(0, 0) },
  GatherV2: { indices: 1, table: 0, count: alongAxis },
  GatherNd: { indices: 1, table: 0, count: anyDim(0) },
  ResourceGather: { indices: 1, table: 0, count: dim(0, 0) },
  ResourceGatherNd: { indices: 1, table: 0, count: anyDim(0) },
  OneHot: { indices: 0, table: 1, count: least(1) },
  SparseToDense: { indices: 0, table: 1, count: least(1) },
  ScatterNd: { indices: 0, table: 2, count: least(2) },
  SparseSegmentMean: { indices: 1, table: 0, count: dim(0, 0) },
  SparseSegmentSqrtN: { indices: 1, table: 0, count: dim(0, 0) },
  SparseSegmentSum: { indices: 1, table: 0, count: dim(0, 0) },
  UnsortedSegmentMax: { indices: 1, table: 2, count: least(2) },
  UnsortedSegmentMin: { indices: 1, table: 2, count: least(2) },
  UnsortedSegmentProd: { indices: 1, table: 2, count: least(2) },
  UnsortedSegmentSum: { indices: 1, table: 2, count: least(2) },
  InTopK: { indices: 1, table: 0, count: dim(0, -1) },
  InTopKV2: { indices: 1, table: 0, count: dim(0, -1) },
  SparseSoftmaxCrossEntropyWithLogits: { indices: 1, table: 0, count: dim(0, -1) },
};

// The elements of their results are elements of their inputs.
const kPass = new Set([
  "BroadcastTo",
  "Cast",
  "Concat",
  "ConcatV2",
  "Enter",
  "Exit",
  "ExpandDims",
  "Identity",
  "IdentityN",
  "Merge",
  "NextIteration",
  "Pack",
  "PlaceholderWithDefault",
  "PreventGradient",
  "RefIdentity",
  "Reshape",
  "Reverse",
  "ReverseV2",
  "Slice",
  "Snapshot",
  "Split",
  "SplitV",
  "Squeeze",
  "StopGradient",
  "StridedSlice",
  "Switch",
  "TensorArrayReadV3",
  "TensorArrayScatterV3",
  "Tile",
  "Transpose",
  "Unique",
  "UniqueV2",
  "Unpack",
]);

/** Returns the ranges of those of the inputs `wanted` that lookups of a graph take as indices, by name; the smallest of several. */
export async function lookupRanges(
  graph: Graph,
  wanted: ReadonlySet<string>,
  compute: Compute,
): Promise<Map<string, Range>> {
  const ranges = new Map<string, Range>();
  for (const name of graph.order) {
    const lookup = kLookups[graph.node(name)!.op];
    const inputs = graph.inputs(name);
    const indices = lookup && inputs[lookup.indices];
    const found = indices === undefined ? [] : sources(graph, indices).filter((source) => wanted.has(source));
    const count = found.length > 0 ? await lookup!.count(inputs, compute) : undefined;
    if (!Number.isSafeInteger(count) || count! < 1) continue;
    for (const source of found) addRange(ranges, source, { count: count!, table: nodeOf(inputs[lookup!.table]!) });
  }
  return ranges;
}

/** Keeps the smaller of two ranges of an input. */
export function addRange(ranges: Map<string, Range>, name: string, range: Range): void {
  const known = ranges.get(name);
  if (!known || range.count < known.count) ranges.set(name, range);
}

// The nodes whose values a tensor's elements come from unchanged.
function sources(graph: Graph, tensor: string): string[] {
  const found = new Set([nodeOf(tensor)]);
  for (const name of found) {
    if (kPass.has(graph.node(name)?.op ?? "")) for (const input of graph.inputs(name)) found.add(nodeOf(input));
  }
  return [...found];
}
