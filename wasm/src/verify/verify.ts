import { abortError, failure } from "../errors.js";
import type { CallOptions, Diagnostic } from "../types.js";
import { checkAlike, type Fed, feedsFor, type Placeholder, placeholdersOf } from "./feeds.js";
import { frozenPair, type FrozenPair, type Verifiable } from "./frozen_pair.js";
import { nodeOf } from "./graph.js";
import { missingOps } from "./missing_ops.js";
import { Runner } from "./runner.js";
import type { TensorFlowJs } from "./tensorflow_js.js";
import { type Comparison, type Target, Twin } from "./twin.js";
import type { ComparedTensor, FirstDifference, Uncovered, VerifyOptions, VerifyReport } from "./types.js";

type Computed = Exclude<Comparison, { failed: string }>;
type Found = Pick<VerifyReport, "outputs" | "firstDifference" | "uncovered">;

/** verify, where `find` brings TensorFlow.js. */
export function verifyWith(find: () => Promise<TensorFlowJs>) {
  return async function verify(a: Verifiable, b: Verifiable, options: VerifyOptions = {}): Promise<VerifyReport> {
    const tf = options.tf ?? (await find());
    await tf.ready();
    let report = await verifyOnce(tf, a, b, options, false);
    if (report.missingOps.some((op) => kLowered.test(op))) {
      const lowered = await verifyOnce(tf, a, b, options, true);
      if (lowered.uncovered.length <= report.uncovered.length) report = lowered;
    }
    if (report.outputs.length === 0) throw nothingCovered(report.uncovered);
    return report;
  };
}

// What freezing makes plain nodes of, on request. While and If TensorFlow.js has, and runs them better than those nodes.
const kLowered = /^(Stateful)?PartitionedCall$|^(Stateless)?Case$/;

async function verifyOnce(tf: TensorFlowJs, a: Verifiable, b: Verifiable, options: VerifyOptions, lower: boolean): Promise<VerifyReport> {
  const pair = await frozenPair(a, b, options, lower);
  try {
    return await verifyFrozen(tf, pair, options, { model: a.report.model, other: b.report.model });
  } finally {
    pair.a.close();
    pair.b.close();
  }
}

async function verifyFrozen(
  tf: TensorFlowJs, pair: FrozenPair, options: VerifyOptions, names: { model: string; other: string }): Promise<VerifyReport> {
  const { signal, onProgress, seed = 0, tolerance = 0 } = options;
  const call: CallOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const check = () => {
    if (signal?.aborted) throw abortError(signal);
  };
  const runners: Runner[] = [];
  let feeds: Fed[] = [];
  try {
    for (const frozen of [pair.a, pair.b]) runners.push(await Runner.load(tf, frozen, call));
    const [a, b] = runners as [Runner, Runner];
    feeds = feed(tf, a, b, options);
    const missing = await missingOps(tf, runners.flatMap(({ graph }) => graph.order.flatMap((name) => [...graph.ops(name)])));
    const found = await compareOutputs(new Twin(a, b, missing, tolerance, check), pair);
    return {
      verb: "verify",
      ...names,
      diagnostics: diagnosticsOf(pair),
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

async function compareOutputs(twin: Twin, { outputs, uncovered }: FrozenPair): Promise<Found> {
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
  const output = comparedTensor(target, comparison, insteadOf);
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
  return { name: target.a, why: found && "failed" in found ? found.failed : why, node, op: twin.a.graph.node(node)?.op ?? "" };
}

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

function nothingCovered(uncovered: readonly Uncovered[]): Error {
  const reasons = uncovered.slice(0, 3).map(({ name, why, node }) => `${name}: ${why}${node ? ` (${node})` : ""}`);
  return failure("nothing-covered", `nothing could be compared; ${reasons.join("; ") || "there is no output"}`,
    "say what to compare with --outputs, or what to run on with --feed");
}

// Of both models, each once.
function diagnosticsOf({ a, b }: FrozenPair): Diagnostic[] {
  const all = [...a.report.diagnostics, ...b.report.diagnostics];
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}
