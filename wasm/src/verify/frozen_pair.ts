import { CryographError, failure } from "../errors.js";
import type { CallOptions, FreezeOptions, PassReport, Report } from "../types.js";
import { nodeOf } from "./graph.js";
import type { Frozen } from "./runner.js";
import type { Target } from "./twin.js";
import type { Uncovered, VerifyOptions } from "./types.js";

/** A model of `cryograph` or of `cryograph/worker`. */
export interface Verifiable {
  readonly report: Report;
  freeze(options: FreezeOptions): Promise<Frozen & { report: PassReport }>;
}

/** Two models without variables, and their outputs that belong together. */
export interface FrozenPair {
  a: Frozen;
  b: Frozen;
  outputs: Target[];
  uncovered: Uncovered[];
}

/**
 * Freezes both up to the outputs that are asked for, else up to those of each; the outputs of the same name are compared. `lower`:
 * with calls, loops and branches as plain nodes.
 */
export async function frozenPair(a: Verifiable, b: Verifiable, options: VerifyOptions, lower: boolean): Promise<FrozenPair> {
  const plain = freezeOptions(options, lower);
  const first = await a.freeze(plain);
  try {
    const pair = paired(first, await b.freeze(plain), options.outputs !== undefined);
    return pair.outputs.length > 0 ? pair : await byTheOthersOutputs(a, b, pair, plain);
  } catch (error) {
    first.close();
    throw error;
  }
}

function freezeOptions(options: VerifyOptions, lowerControlFlow: boolean): FreezeOptions {
  const { tag, signature, inputs, set, outputs } = options;
  const chosen = Object.entries({ tag, signature, inputs, set, outputs }).filter(([, value]) => value !== undefined);
  return { ...callOf(options), ...Object.fromEntries(chosen), dropChecks: true, lowerControlFlow };
}

/** Of the options those that every call takes. */
export function callOf({ signal, onProgress }: CallOptions): CallOptions {
  return { ...(signal && { signal }), ...(onProgress && { onProgress }) };
}

function outputsOf({ report }: Frozen): string[] {
  return ((report["graphOutputs"] as string[] | undefined) ?? []).map((name) => name.replace(/:0$/, ""));
}

// Names may have changed, of a signature's outputs above all: those that were asked for stand in the order asked for.
function paired(a: Frozen, b: Frozen, asked: boolean): FrozenPair {
  const [ours, theirs] = [outputsOf(a), outputsOf(b)];
  if (asked && ours.length === theirs.length) {
    return { a, b, outputs: ours.map((name, i) => ({ a: name, b: theirs[i]! })), uncovered: [] };
  }
  const only = (names: string[], others: string[], which: string) =>
    names.filter((name) => !others.includes(name)).map((name) => ({ name, why: `it is an output of the ${which} model alone` }));
  const outputs = ours.filter((name) => theirs.includes(name)).map((name) => ({ a: name, b: name }));
  return { a, b, outputs, uncovered: [...only(ours, theirs, "first"), ...only(theirs, ours, "second")] };
}

// One model may have been cut inside of the other; else one output each is a pair, whatever they are called.
async function byTheOthersOutputs(a: Verifiable, b: Verifiable, pair: FrozenPair, plain: FreezeOptions): Promise<FrozenPair> {
  const again = (model: Verifiable, outputs: string[]) =>
    model.freeze({ ...plain, outputs }).catch((error: unknown) => {
      if (error instanceof CryographError) return null;
      throw error;
    });
  const inFirst = await again(a, outputsOf(pair.b));
  if (inFirst) {
    pair.a.close();
    return paired(inFirst, pair.b, true);
  }
  const inSecond = await again(b, outputsOf(pair.a));
  if (inSecond) {
    pair.b.close();
    return paired(pair.a, inSecond, true);
  }
  if (outputsOf(pair.a).length === 1 && outputsOf(pair.b).length === 1) return paired(pair.a, pair.b, true);
  pair.b.close();
  throw failure("no-common-output", `no output of one model is in the other: ${list(outputsOf(pair.a))}; ${list(outputsOf(pair.b))}`,
    "say what to compare with --outputs");
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.slice(0, 5).map(nodeOf).join(", ") : "none";
}
