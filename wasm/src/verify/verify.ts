import { failure } from "../errors.js";
import type { Diagnostic } from "../types.js";
import { callOf, frozenPair, type FrozenPair, type Verifiable } from "./frozen_pair.js";
import { type Compared, type RunnablePair, runPair } from "./run_pair.js";
import type { TensorFlowJs } from "./tensorflow_js.js";
import type { Uncovered, VerifyOptions, VerifyReport } from "./types.js";

/** verify, where `find` brings TensorFlow.js. */
export function verifyWith(find: () => Promise<TensorFlowJs>) {
  return async function verify(a: Verifiable, b: Verifiable, options: VerifyOptions = {}): Promise<VerifyReport> {
    const tf = options.tf ?? (await find());
    return verifyBy((pair, call) => runPair(tf, pair, call))(a, b, options);
  };
}

/** verify, where `run` is runPair() or leads to it. */
export function verifyBy(run: (pair: RunnablePair, options: VerifyOptions) => Promise<Compared>) {
  async function verifyOnce(a: Verifiable, b: Verifiable, options: VerifyOptions, lower: boolean): Promise<VerifyReport> {
    const pair = await frozenPair(a, b, options, lower);
    try {
      const names = { model: a.report.model, other: b.report.model };
      const compared = await run(await runnable(pair, options), options);
      return { verb: "verify", ...names, diagnostics: diagnosticsOf(pair), ...compared };
    } finally {
      pair.a.close();
      pair.b.close();
    }
  }

  return async function verify(a: Verifiable, b: Verifiable, options: VerifyOptions = {}): Promise<VerifyReport> {
    let report = await verifyOnce(a, b, options, false);
    const stopped = [...report.missingOps, ...report.uncovered.map(({ op = "" }) => op)];
    if (stopped.some((op) => kLowered.test(op))) {
      const lowered = await verifyOnce(a, b, options, true);
      if (lowered.uncovered.length <= report.uncovered.length) report = lowered;
    }
    if (report.outputs.length === 0) throw nothingCovered(report.uncovered);
    return report;
  };
}

// What freezing makes plain nodes of, on request. Calls and Case TensorFlow.js lacks. While and If it has, and runs them better than those
// nodes, but for lists: at the end of a body it disposes of what the body put into one.
const kLowered = /^(Stateful)?PartitionedCall$|^(Stateless)?(Case|If|While)$/;

async function runnable({ a, b, outputs, uncovered }: FrozenPair, options: VerifyOptions): Promise<RunnablePair> {
  const form = { as: "tfjs", out: "model.json", ...callOf(options) } as const;
  return { a: await a.write(form), b: await b.write(form), outputs, uncovered };
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
