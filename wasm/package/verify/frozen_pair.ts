import { CryographError, failure } from "../base/errors.js";
import type { CallOptions, Diagnostic, FreezeOptions, PassReport, Report } from "../types/types.js";
import { nodeOf } from "./graph.js";
import type { Frozen } from "./runner.js";
import { setRules } from "../base/set_rules.js";
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
  /** Outputs of one model alone. */
  uncovered: Uncovered[];
  diagnostics: Diagnostic[];
}

type Plain = Omit<FrozenPair, "diagnostics">;

/**
 * Freezes both up to the requested outputs, else up to those of each; the outputs of the same name are compared. `lower`: with calls, loops
 * and branches as plain nodes. What fails names the model: A or B.
 */
export async function frozenPair(
  a: Verifiable,
  b: Verifiable,
  options: VerifyOptions,
  lower: boolean,
): Promise<FrozenPair> {
  const plain = freezeOptions(options, lower);
  const [inA, inB] = [new Freezer(a, "A"), new Freezer(b, "B")];
  let first = await inA.freeze(plain);
  try {
    let second = await inB.freeze(plain);
    const [heldByA, heldByB] = [inA.constants(first, plain), inB.constants(second, plain)];
    first = await inA.leave(
      heldByA.filter((rule) => !heldByB.includes(rule) && !inB.unset.has(rule)),
      first,
      plain,
    );
    second = await inB.leave(
      heldByB.filter((rule) => !heldByA.includes(rule) && !inA.unset.has(rule)),
      second,
      plain,
    );
    const pair = paired(first, second, options.outputs !== undefined);
    const diagnostics = setInOne(inA, inB);
    return { ...(pair.outputs.length > 0 ? pair : await byTheOthersOutputs(inA, inB, pair, plain)), diagnostics };
  } catch (error) {
    first.close();
    throw error;
  }
}

/** Freezes one of the two models, as often as needed. */
class Freezer {
  /** Rules of `set` that this model does not take: it has no such node (the core's report), or a constant that it keeps. */
  readonly unset = new Map<string, CryographError | null>();

  constructor(
    private readonly model: Verifiable,
    readonly letter: "A" | "B",
  ) {}

  get name(): string {
    return `${this.letter} (${this.model.report.model})`;
  }

  async freeze(options: FreezeOptions): Promise<Frozen> {
    for (;;) {
      const set = setRules(options.set)?.filter((rule) => !this.unset.has(rule));
      try {
        return await this.model.freeze({ ...options, ...(set && { set }) });
      } catch (error) {
        if (!(error instanceof CryographError)) throw error;
        const rule = set?.find((each) => isWithout(error, each));
        if (rule === undefined) throw this.#named(error);
        this.unset.set(rule, this.#named(error));
      }
    }
  }

  /** Returns the rules of `set` that gave constants another value. */
  constants({ report }: Frozen, { set }: FreezeOptions): string[] {
    const held = report.converted.filter(({ from, to }) => from === "Const" && to === "Const").map(({ name }) => name);
    return (setRules(set) ?? []).filter((rule) => held.includes(setNode(rule)));
  }

  /** Freezes again without the rules: what the other model is fed, this one may have stored. Closes what was frozen. */
  async leave(rules: readonly string[], frozen: Frozen, options: FreezeOptions): Promise<Frozen> {
    if (rules.length === 0) return frozen;
    for (const rule of rules) this.unset.set(rule, null);
    const again = await this.freeze(options);
    frozen.close();
    return again;
  }

  #named({ diagnostics, report, status, cause }: CryographError): CryographError {
    const named = (all: readonly Diagnostic[]) =>
      all.map((each) => (each.severity === "error" ? { ...each, message: `${each.message}, in ${this.name}` } : each));
    return new CryographError(named(diagnostics), report && { ...report, diagnostics: named(report.diagnostics) }, {
      cause,
      status,
    });
  }
}

function setNode(rule: string): string {
  return nodeOf(rule.slice(0, rule.indexOf("=")));
}

function isWithout({ code, diagnostics }: CryographError, rule: string): boolean {
  const { node } = diagnostics.find(({ severity }) => severity === "error")?.where ?? {};
  return ["not-in-graph", "not-a-placeholder"].includes(code) && node === setNode(rule);
}

// A value that neither model takes is a mistake. One that is set in one model alone is usual: the other was made with it.
function setInOne(a: Freezer, b: Freezer): Diagnostic[] {
  for (const [rule, error] of a.unset) if (error !== null && b.unset.has(rule)) throw error;
  return [[a, b] as const, [b, a] as const].flatMap(([without, other]) =>
    [...without.unset.keys()].map((rule): Diagnostic => ({
      severity: "note",
      code: "set-in-one-model",
      where: { node: setNode(rule) },
      message: `it is not a placeholder in ${without.name}: its value is set in ${other.letter} alone`,
      fix: "",
      fixable: false,
    })),
  );
}

function freezeOptions(options: VerifyOptions, lowerControlFlow: boolean): FreezeOptions {
  const { signature, inputs, set, outputs } = options;
  const chosen = Object.entries({ signature, inputs, set, outputs }).filter(([, value]) => value !== undefined);
  return { ...callOf(options), ...Object.fromEntries(chosen), dropChecks: true, lowerControlFlow };
}

/** Returns those of the options that every call takes. */
export function callOf({ signal, onProgress }: CallOptions): CallOptions {
  return { ...(signal && { signal }), ...(onProgress && { onProgress }) };
}

function outputsOf({ report }: Frozen): string[] {
  return (report.graphOutputs ?? []).map((name) => name.replace(/:0$/, ""));
}

// Names may have changed, of a signature's outputs above all: requested outputs are in the requested order.
function paired(a: Frozen, b: Frozen, asked: boolean): Plain {
  const [ours, theirs] = [outputsOf(a), outputsOf(b)];
  if (asked && ours.length === theirs.length) {
    return { a, b, outputs: ours.map((name, i) => ({ a: name, b: theirs[i]! })), uncovered: [] };
  }
  const only = (names: string[], others: string[], which: string) =>
    names.filter((name) => !others.includes(name)).map((name) => ({ name, why: `it is an output of ${which} alone` }));
  const outputs = ours.filter((name) => theirs.includes(name)).map((name) => ({ a: name, b: name }));
  return { a, b, outputs, uncovered: [...only(ours, theirs, "A"), ...only(theirs, ours, "B")] };
}

// One model may have been cut inside of the other; else one output each is a pair, whatever they are called.
async function byTheOthersOutputs(a: Freezer, b: Freezer, pair: Plain, plain: FreezeOptions): Promise<Plain> {
  const again = (model: Freezer, outputs: string[]) =>
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
  throw failure(
    "no-common-output",
    `no output of one model is in the other: ${list(outputsOf(pair.a))}; ${list(outputsOf(pair.b))}`,
    [{ action: "compare-at" }],
  );
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.slice(0, 5).map(nodeOf).join(", ") : "none";
}
