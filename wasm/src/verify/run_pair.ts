import { abortError } from "../errors.js";
import { checkAlike, type Fed, feedsFor, type Placeholder, placeholdersOf } from "./feeds.js";
import { callOf } from "./frozen_pair.js";
import { nodeOf } from "./graph.js";
import { missingOps } from "./missing_ops.js";
import { type ModelFile, Runner } from "./runner.js";
import type { TensorFlowJs } from "./tensorflow_js.js";
import { type Comparison, type Target, Twin } from "./twin.js";
import type { ComparedTensor, FirstDifference, Uncovered, VerifyOptions, VerifyReport } from "./types.js";

type Computed = Exclude<Comparison, { failed: string }>;
type Found = Pick<VerifyReport, "outputs" | "firstDifference" | "uncovered">;

/** Two models as TensorFlow.js takes them, and their outputs that belong together. */
export interface RunnablePair {
  a: readonly ModelFile[];
  b: readonly ModelFile[];
  outputs: Target[];
  uncovered: Uncovered[];
}

/** What running both comes to. */
export type Compared = Pick<
  VerifyReport, "equal" | "runner" | "seed" | "tolerance" | "inputs" | "outputs" | "firstDifference" | "uncovered" | "missingOps">;

/** Runs two models on the same input and compares their outputs. */
export async function runPair(tf: TensorFlowJs, pair: RunnablePair, options: VerifyOptions): Promise<Compared> {
  const { signal, seed = 0, tolerance = 0 } = options;
  const check = () => {
    if (signal?.aborted) throw abortError(signal);
  };
  const runners: Runner[] = [];
  let feeds: Fed[] = [];
  await tf.ready();
  try {
    for (const files of [pair.a, pair.b]) runners.push(await Runner.load(tf, files, callOf(options)));
    const [a, b] = runners as [Runner, Runner];
    feeds = feed(tf, a, b, options);
    const missing = await missingOps(tf, runners.flatMap(({ graph }) => graph.order.flatMap((name) => [...graph.ops(name)])));
    const found = await compareOutputs(new Twin(a, b, missing, tolerance, check), pair);
    return {
      equal: found.outputs.every(({ equal }) => equal),
      runner: `TensorFlow.js ${tf.version_core}, ${tf.getBackend()}`,
      seed,
      tolerance,
      inputs: feeds.map(({ input }) => input),
      ...found,
      missingOps: [...missing].sort(),
    };
  } finally {
    for (const runner of runners) runner.dispose();
    for (const { tensor } of feeds) tensor.dispose();
  }
}

// The inputs are those of the first model; of the second they have the same names, or it has one and the other is called otherwise.
function feed(tf: TensorFlowJs, a: Runner, b: Runner, options: VerifyOptions): Fed[] {
  const [ours, theirs] = [a, b].map(({ graph }) => placeholdersOf(graph, options.feed ?? {})) as [Placeholder[], Placeholder[]];
  const alone = ours.length === 1 && theirs.length === 1;
  for (const input of theirs) checkAlike(alone ? ours[0] : ours.find(({ name }) => name === input.name), input);
  const more = alone ? [] : theirs.filter(({ name }) => !ours.some((input) => input.name === name));
  const feeds = feedsFor(tf, [...ours, ...more], options);
  const of = (inputs: readonly Placeholder[]) =>
    Object.fromEntries(feeds.flatMap(({ input, tensor }) => {
      const name = alone ? inputs[0]!.name : input.name;
      return inputs.some((each) => each.name === name) ? [[name, tensor]] : [];
    }));
  a.feed(of(ours));
  b.feed(of(theirs));
  return feeds;
}

async function compareOutputs(twin: Twin, { outputs, uncovered }: RunnablePair): Promise<Found> {
  const found: Found = { outputs: [], firstDifference: null, uncovered: [...uncovered] };
  const open = outputs.filter((target) => !twin.blockedBy(target));
  const compared = await twin.compare(open);
  for (const [i, target] of open.entries()) await add(found, twin, target, compared[i]!);
  for (const target of outputs) {
    const blocker = twin.blockedBy(target);
    if (!blocker) continue;
    found.uncovered.push({ name: target.a, why: `TensorFlow.js has no op ${blocker.op}`, ...blocker });
    const before = twin.before(target).filter(({ a }) => !found.outputs.some(({ name }) => name === a));
    for (const [i, each] of (await twin.compare(before)).entries()) await add(found, twin, before[i]!, each, target.a);
  }
  return found;
}

async function add(found: Found, twin: Twin, target: Target, comparison: Comparison, insteadOf?: string): Promise<void> {
  if ("failed" in comparison) {
    if (insteadOf === undefined) found.uncovered.push(await reasonOf(twin, target, comparison.failed));
    return;
  }
  const { classes } = comparison;
  const output = { ...comparedTensor(target, comparison, insteadOf), ...(classes && insteadOf === undefined && { classes }) };
  if (!output.equal && found.firstDifference === null) {
    const first = await firstDifference(twin, target, comparison);
    if (!first) return void found.uncovered.push({ name: target.a, why: "it is made of random numbers, others in each run" });
    found.firstDifference = first;
  }
  found.outputs.push(output);
}

async function reasonOf(twin: Twin, target: Target, why: string): Promise<Uncovered> {
  const { tensor, found } = await twin.origin(target, (each) => "failed" in each);
  const node = nodeOf(tensor.a);
  const op = twin.a.graph.node(node)?.op ?? "";
  const what = kOfLoops.test(op) ? "does not get through this loop" : "stops here";
  return { name: target.a, why: `TensorFlow.js ${what}: ${found && "failed" in found ? found.failed : why}`, node, op };
}

const kOfLoops = /^(Stateless)?While$|^(Enter|Exit|Merge|NextIteration|LoopCond)$/;

// null: it differs by random numbers alone.
async function firstDifference(twin: Twin, target: Target, comparison: Computed): Promise<FirstDifference | null> {
  const differs = (each: Comparison) => !("failed" in each) && !isEqual(each);
  const { tensor, found } = await twin.origin(target, differs);
  const node = nodeOf(tensor.a);
  if (found === null && twin.a.graph.isRandom(node)) return null;
  const [op, otherOp] = [twin.a.graph.node(node)?.op ?? "", twin.b.graph.node(nodeOf(tensor.b))?.op ?? ""];
  return { node, op, ...(op !== otherOp && { otherOp }), ...comparedTensor(tensor, (found as Computed | null) ?? comparison) };
}

function isEqual({ difference }: Computed): boolean {
  return difference === null || difference.within;
}

function comparedTensor({ a, b }: Target, comparison: Computed, insteadOf?: string): ComparedTensor {
  const { dtype, shape, difference } = comparison;
  const names = { name: a, ...(a !== b && { other: b }), ...(insteadOf !== undefined && { insteadOf }) };
  return { ...names, dtype, shape, equal: isEqual(comparison), difference };
}
