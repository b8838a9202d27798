import { abortError } from "../base/errors.js";
import type { Endpoint } from "../types/types.js";
import { type Fed, feedsFor, tensorOf } from "./feeds.js";
import { placeholdersListed, placeholdersOf, type SharedInput, sharedInputs } from "./placeholders.js";
import { callOf } from "./frozen_pair.js";
import { type Graph, nodeOf } from "./graph.js";
import { addRange, lookupRanges, type Range } from "./lookups.js";
import { missingOps } from "./missing_ops.js";
import { type ModelFile, Runner } from "./runner.js";
import type { TensorFlowJs, TfTensor } from "./tensorflow_js.js";
import { type Comparison, type Target, Twin } from "./twin.js";
import type {
  ComparedTensor,
  Feed,
  FirstDifference,
  InsteadTensor,
  Uncovered,
  Verdict,
  VerifyOptions,
  VerifyReport,
} from "./types.js";
import { comparedTensor, type Computed, isEqual, uncoveredTensor, verdictOf } from "./verdict.js";

type Found = Pick<VerifyReport, "outputs" | "instead" | "firstDifference">;

/** Two models as TensorFlow.js loads them, and the outputs that are compared. */
export interface RunnablePair {
  a: readonly ModelFile[];
  b: readonly ModelFile[];
  /** The reason why one of them has no TensorFlow.js format: there are no files then, and `inputs` are fed. */
  cannot: { why: string; node?: string } | null;
  /** The inputs of each model, in its order. */
  inputs: readonly (readonly Endpoint[])[];
  outputs: Target[];
  /** Outputs of one model alone. */
  uncovered: Uncovered[];
}

/** The values of an input, by the names that it has in both models. */
export interface FedValues extends Feed {
  dtype: string;
  a: string | null;
  b: string | null;
}

/** The part of the report that comes from running both; `fed` only when a script is requested. */
export type Compared = Pick<
  VerifyReport,
  | "verdict"
  | "equal"
  | "runner"
  | "seed"
  | "tolerance"
  | "inputs"
  | "outputs"
  | "instead"
  | "firstDifference"
  | "uncovered"
  | "missingOps"
> & { fed?: FedValues[] };

/** Runs two models on the same input and compares their outputs. */
export async function runPair(tf: TensorFlowJs, pair: RunnablePair, options: VerifyOptions): Promise<Compared> {
  const runners: Runner[] = [];
  await tf.ready();
  try {
    const cannot = pair.cannot ?? (await load(tf, pair, options, runners));
    return cannot ? notRun(tf, pair, options, cannot) : await runBoth(tf, pair, options, runners as [Runner, Runner]);
  } finally {
    for (const runner of runners) runner.dispose();
  }
}

// Adds both models to `into`; returns why that cannot be done.
async function load(
  tf: TensorFlowJs,
  { a, b }: RunnablePair,
  options: VerifyOptions,
  into: Runner[],
): Promise<RunnablePair["cannot"]> {
  for (const files of [a, b]) {
    const found = await Runner.load(tf, files, callOf(options)).catch((error: unknown) => {
      if (options.signal?.aborted || error instanceof RangeError) throw error; // out of memory
      return { why: `TensorFlow.js does not load it: ${error instanceof Error ? error.message : String(error)}` };
    });
    if (!(found instanceof Runner)) return found;
    into.push(found);
  }
  return null;
}

async function runBoth(
  tf: TensorFlowJs,
  pair: RunnablePair,
  options: VerifyOptions,
  [a, b]: [Runner, Runner],
): Promise<Compared> {
  const { signal, tolerance = 0 } = options;
  const check = () => {
    if (signal?.aborted) throw abortError(signal);
  };
  const tensors: TfTensor[] = [];
  const feed = (feeds: readonly Fed[]) =>
    feedBoth(
      a,
      b,
      feeds,
      feeds.map((each) => tensors[tensors.push(tensorOf(tf, each)) - 1]!),
    );
  try {
    const fed = await fedTo(tf, a, b, options, feed);
    const missing = await missingOps(
      tf,
      [a, b].flatMap(({ graph }) => graph.order.flatMap((name) => [...graph.ops(name)])),
    );
    const found = await compareOutputs(new Twin(a, b, missing, tolerance, check), pair);
    return comparedOf(tf, options, fed, found, [...missing].sort());
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

// Every output is undecided.
function notRun(
  tf: TensorFlowJs,
  pair: RunnablePair,
  options: VerifyOptions,
  cannot: NonNullable<RunnablePair["cannot"]>,
): Compared {
  const [ours, theirs] = pair.inputs.map((inputs) => placeholdersListed(inputs, options.feed ?? {}));
  const fed = feedsFor(tf, sharedInputs(ours!, theirs!), options, new Map());
  const outputs = [...pair.outputs.map((target) => uncoveredTensor(target, cannot)), ...pair.uncovered.map(ofOneModel)];
  return comparedOf(tf, options, fed, { outputs, instead: [], firstDifference: null }, []);
}

function comparedOf(
  tf: TensorFlowJs,
  options: VerifyOptions,
  fed: readonly Fed[],
  found: Found,
  missing: string[],
): Compared {
  const { seed = 0, tolerance = 0, script } = options;
  const verdict = verdictOf(found.outputs);
  return {
    verdict,
    equal: kEqual[verdict],
    runner: `TensorFlow.js ${tf.version_core}, ${tf.getBackend()}`,
    seed,
    tolerance,
    inputs: fed.map(({ input }) => input),
    ...found,
    uncovered: found.outputs
      .filter((output) => output.verdict === "undecided")
      .map(({ name, why, node, op }) => ({
        name,
        why,
        ...(node !== undefined && { node }),
        ...(op !== undefined && { op }),
      })),
    missingOps: missing,
    ...(script !== undefined && {
      fed: fed.map(({ placeholder: { dtype, a, b }, values }) => ({ ...values, dtype, a, b })),
    }),
  };
}

const kEqual: Record<Verdict, boolean | null> = { equal: true, different: false, undecided: null };

// Whole numbers that were not given are drawn last: the size of the table that they index is known only when the rest
// is fed.
async function fedTo(
  tf: TensorFlowJs,
  a: Runner,
  b: Runner,
  options: VerifyOptions,
  feed: (feeds: readonly Fed[]) => void,
): Promise<Fed[]> {
  const given = options.feed ?? {};
  const inputs = sharedInputs(placeholdersOf(a.graph, given), placeholdersOf(b.graph, given));
  const open = inputs.filter(({ name, dtype }) => dtype.includes("int") && !Object.hasOwn(given, name));
  const first = feedsFor(tf, inputs, options, new Map(open.map(({ name }) => [name, { count: 1, table: "" }])));
  feed(first);
  if (open.length === 0) return first;
  const ranges = new Map<string, Range>();
  for (const [runner, side] of [
    [a, "a"],
    [b, "b"],
  ] as const) {
    for (const [name, range] of await rangesIn(runner, open, side)) addRange(ranges, name, range);
  }
  const fed = feedsFor(tf, inputs, options, ranges);
  feed(fed);
  return fed;
}

async function rangesIn(runner: Runner, open: readonly SharedInput[], side: "a" | "b"): Promise<[string, Range][]> {
  const compute = (tensor: string) =>
    runner.run([tensor]).then(
      ([value]) => value!,
      () => null,
    );
  const names = new Map(open.flatMap((input) => (input[side] === null ? [] : [[input[side]!, input.name]])));
  return [...(await lookupRanges(runner.graph, new Set(names.keys()), compute))].map(([name, range]) => [
    names.get(name)!,
    range,
  ]);
}

function feedBoth(a: Runner, b: Runner, feeds: readonly Fed[], tensors: readonly TfTensor[]): void {
  for (const [runner, side] of [
    [a, "a"],
    [b, "b"],
  ] as const) {
    runner.feed(
      Object.fromEntries(
        feeds.flatMap(({ placeholder }, i) => (placeholder[side] === null ? [] : [[placeholder[side], tensors[i]!]])),
      ),
    );
  }
}

async function compareOutputs(twin: Twin, { outputs, uncovered }: RunnablePair): Promise<Found> {
  const found: Found = { outputs: [], instead: [], firstDifference: null };
  const open = outputs.filter((target) => !twin.blockedBy(target));
  const compared = new Map((await twin.compare(open)).map((comparison, i) => [open[i]!, comparison]));
  for (const target of outputs) {
    found.outputs.push(await resultOf(twin, found, target, compared.get(target)));
  }
  found.outputs.push(...uncovered.map(ofOneModel));
  for (const target of outputs.filter((each) => twin.blockedBy(each))) await compareBefore(twin, found, target);
  return found;
}

function ofOneModel({ name, why }: Uncovered): ComparedTensor {
  return uncoveredTensor({ a: name, b: name }, { why });
}

async function resultOf(
  twin: Twin,
  found: Found,
  target: Target,
  comparison: Comparison | undefined,
): Promise<ComparedTensor> {
  const blocker = twin.blockedBy(target);
  if (blocker) return uncoveredTensor(target, { why: `TensorFlow.js has no op ${blocker.op}`, ...blocker });
  if (!comparison || "failed" in comparison)
    return uncoveredTensor(target, await reasonOf(twin, target, comparison?.failed ?? ""));
  const compared = {
    ...comparedTensor(target, comparison),
    ...(comparison.classes && { classes: comparison.classes }),
  };
  if (isEqual(comparison)) return compared;
  const known = twin.a.graph.isRandom(nodeOf(target.a)) ? null : found.firstDifference;
  const first = known ?? (await firstDifference(twin, target, comparison));
  if (!first) return uncoveredTensor(target, { why: "it is made of random numbers, others in each run" });
  found.firstDifference ??= first;
  return compared;
}

// The tensors on the way to an output that cannot be run.
async function compareBefore(twin: Twin, found: Found, output: Target): Promise<void> {
  const before = twin
    .before(output)
    .filter(({ a }) => ![...found.outputs, ...found.instead].some(({ name, dtype }) => name === a && dtype !== null));
  for (const [i, comparison] of (await twin.compare(before)).entries()) {
    const target = before[i]!;
    if ("failed" in comparison) continue;
    if (!isEqual(comparison)) found.firstDifference ??= await firstDifference(twin, target, comparison);
    found.instead.push({ ...comparedTensor(target, comparison), insteadOf: output.a } satisfies InsteadTensor);
  }
}

async function reasonOf(twin: Twin, target: Target, why: string): Promise<{ why: string; node: string; op: string }> {
  const { tensor, found } = await twin.origin(target, (each) => "failed" in each);
  const node = nodeOf(tensor.a);
  const op = twin.a.graph.node(node)?.op ?? "";
  const message = found && "failed" in found ? found.failed : why;
  return {
    why: kOfLoops.test(op)
      ? `TensorFlow.js cannot run this loop (its limit, not the model's): ${message}`
      : `TensorFlow.js stops here: ${message}`,
    node,
    op,
  };
}

const kOfLoops = /^(Stateless)?While$|^(Enter|Exit|Merge|NextIteration|LoopCond)$/;

// null: it differs by random numbers alone.
async function firstDifference(twin: Twin, target: Target, comparison: Computed): Promise<FirstDifference | null> {
  const differs = (each: Comparison) => !("failed" in each) && !isEqual(each);
  const { tensor, found } = await twin.origin(target, differs);
  const node = nodeOf(tensor.a);
  if (found === null && twin.a.graph.isRandom(node)) return null;
  const [op, otherOp] = [opOf(twin.a.graph, node), opOf(twin.b.graph, nodeOf(tensor.b))];
  return {
    ...comparedTensor(tensor, (found as Computed | null) ?? comparison),
    node,
    op,
    ...(op !== otherOp && { otherOp }),
  };
}

function opOf(graph: Graph, node: string): string {
  return graph.node(node)?.op ?? "";
}
