import { badArgument, checkedOptions } from "../base/argument.js";
import { CryographError } from "../base/errors.js";
import type { OutputFile, Saver } from "../model/output.js";
import type { Diagnostic } from "../types/types.js";
import { callOf, frozenPair, type FrozenPair, type Verifiable } from "./frozen_pair.js";
import { type Compared, type FedValues, type RunnablePair, runPair } from "./run_pair.js";
import { scriptFiles } from "./script.js";
import type { TensorFlowJs } from "./tensorflow_js.js";
import type { VerifyOptions, VerifyReport } from "./types.js";

/** verify, with the TensorFlow.js that `find` returns. `saver`: of the host, for the files of a script. */
export function verifyWith(find: () => Promise<TensorFlowJs>, saver: Saver | null = null) {
  return async function verify(a: Verifiable, b: Verifiable, options: VerifyOptions = {}): Promise<VerifyReport> {
    checkArguments(a, b, options);
    const tf = options.tf ?? (await find());
    return verifyBy(
      (pair, call) => runPair(tf, pair, call),
      (...made) => scriptFiles(...made, saver),
    )(a, b, options);
  };
}

function checkArguments(a: unknown, b: unknown, options: VerifyOptions): void {
  for (const [which, model] of Object.entries({ first: a, second: b }))
    if (typeof (model as Verifiable | null | undefined)?.freeze !== "function")
      throw badArgument("verify", `a model as its ${which} argument`, model);
  const { feed, image } = checkedOptions("verify", options);
  for (const [name, value] of Object.entries({ feed, image }))
    if (value !== undefined && (typeof value !== "object" || value === null))
      throw badArgument("verify", `an object as '${name}'`, value);
}

type WriteScript = (
  pair: FrozenPair,
  fed: readonly FedValues[],
  report: VerifyReport,
  options: VerifyOptions,
) => Promise<OutputFile[]>;

/** verify, where `run` is runPair() or leads to it. `writeScript`: null where the option `script` is never given. */
export function verifyBy(
  run: (pair: RunnablePair, options: VerifyOptions) => Promise<Compared>,
  writeScript: WriteScript | null = null,
) {
  async function verifyOnce(
    a: Verifiable,
    b: Verifiable,
    options: VerifyOptions,
    lower: boolean,
  ): Promise<VerifyReport> {
    const pair = await frozenPair(a, b, options, lower);
    try {
      const names = { model: a.report.model, other: b.report.model };
      const { fed, ...compared } = await run(await runnable(pair, options), options);
      const report = { verb: "verify", ...names, diagnostics: diagnosticsOf(pair), ...compared };
      return fed && writeScript ? { ...report, script: await writeScript(pair, fed, report, options) } : report;
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
    return report;
  };
}

// Ops that freezing lowers to plain nodes, on request. TensorFlow.js lacks calls and Case. It has While and If and runs
// them faster than the lowered nodes, but fails with lists: at the end of a body it disposes of the values that the
// body added to a list.
const kLowered = /^(Stateful)?PartitionedCall$|^(Stateless)?(Case|If|While)$/;

async function runnable({ a, b, outputs, uncovered }: FrozenPair, options: VerifyOptions): Promise<RunnablePair> {
  const form = { as: "tfjs", out: "model.json", ...callOf(options) } as const;
  const inputs = [(await a.list("inputs")).inputs, (await b.list("inputs")).inputs];
  try {
    return { a: await a.write(form), b: await b.write(form), cannot: null, inputs, outputs, uncovered };
  } catch (error) {
    if (!(error instanceof CryographError) || !kOfTheForm.has(error.code)) throw error;
    const {
      message,
      where: { node },
    } = error.diagnostics.find(({ severity }) => severity === "error")!;
    return { a: [], b: [], cannot: { why: message, ...(node !== undefined && { node }) }, inputs, outputs, uncovered };
  }
}

// Codes of models that TensorFlow.js's format cannot hold.
const kOfTheForm = new Set(["too-large", "unsupported-dtype"]);

// Returns the findings of both models, each once. "no-variables" is expected here: the model may already be frozen.
function diagnosticsOf({ a, b, diagnostics }: FrozenPair): Diagnostic[] {
  const all = [...diagnostics, ...a.report.diagnostics, ...b.report.diagnostics].filter(
    ({ code }) => code !== "no-variables",
  );
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}
