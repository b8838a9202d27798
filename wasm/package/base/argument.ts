// Checks of the arguments of calls, before anything gets to the core. A wrong argument is an error of its call alone. The
// page, whose own calls are compiled together with this, is built without them: CRYOGRAPH_CHECKS is false there.
import { type CryographError, failure } from "./errors.js";
import type { CallOptions, InitOptions, OpenOptions } from "../types/types.js";

declare const CRYOGRAPH_CHECKS: boolean;

/** Returns the error for an argument of another type. `expected`: completes "list() takes". */
export function badArgument(call: string, expected: string, found: unknown): CryographError {
  const fix = "see the types of this call";
  return failure("bad-argument", `${call}() takes ${expected}; found ${described(found)}`, fix, undefined, 2);
}

/** Returns a text. Fails with "bad-argument" for another type. `what`: "the name of a weight". */
export function checkedText(call: string, what: string, value: unknown): string {
  if (CRYOGRAPH_CHECKS && typeof value !== "string") throw badArgument(call, `${what} as a string`, value);
  return value as string;
}

/** Checks the place of something among `length`. Fails with "bad-argument". */
export function checkPlace(call: string, place: number, length: number): void {
  if (CRYOGRAPH_CHECKS && !(Number.isInteger(place) && place >= 0 && place < length))
    throw badArgument(call, `the place of a node, from 0 to ${length - 1}`, place);
}

/** Checks a number of elements. Fails with "bad-argument" if it is not whole. `what`: its option. */
export function checkCount(call: string, what: string, value: unknown): void {
  if (CRYOGRAPH_CHECKS && value !== Infinity && !(Number.isSafeInteger(value) && (value as number) >= 0))
    throw badArgument(call, `a whole number, 0 or more, as '${what}'`, value);
}

/** Returns a model of a class. Fails with "bad-argument" for one of another thread or another copy of this module. */
export function checkedModel<T>(call: string, what: string, value: T, type: abstract new (...all: never[]) => T): T {
  if (CRYOGRAPH_CHECKS && !(value instanceof type))
    throw badArgument(call, `${what}, opened by the same module as this one`, value);
  return value;
}

/** Returns a list of models of a class. Fails with "bad-argument" as checkedModel() does. `option`: its name. */
export function checkedModels<T>(
  call: string,
  option: string,
  value: readonly T[],
  type: abstract new (...all: never[]) => T,
): readonly T[] {
  if (CRYOGRAPH_CHECKS && !Array.isArray(value)) throw badArgument(call, `an array of models as '${option}'`, value);
  return value.map((each) => checkedModel(call, `models as '${option}'`, each, type));
}

/** Returns the options of a call. Fails with "bad-argument" if they are no object, or have no signal or function where one belongs. */
export function checkedOptions<T extends CallOptions>(call: string, options: T): T {
  if (!CRYOGRAPH_CHECKS) return options;
  checkObject(call, options);
  const { signal, onProgress } = options;
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw badArgument(call, "a function as 'onProgress'", onProgress);
  // Not instanceof: a signal may be of another realm.
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.aborted !== "boolean")
    throw badArgument(call, "an AbortSignal as 'signal'", signal);
  return options;
}

function checkObject(call: string, options: unknown): void {
  if (tagOf(options) !== "Object") throw badArgument(call, "options as an object", options);
}

/** Checks the options of open(), of which the checkpoint is looked for before the core has them. */
export function checkedOpen(options: OpenOptions): void {
  const { checkpoint } = checkedOptions("open", options);
  if (CRYOGRAPH_CHECKS && checkpoint !== undefined) checkedText("open", "the option 'checkpoint'", checkpoint);
}

/** Returns the options of init(). Fails with "bad-argument" if one is of another type. */
export function checkedInit(options: InitOptions): InitOptions {
  if (!CRYOGRAPH_CHECKS) return options;
  checkObject("init", options);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const expected = kInitOptions[name as keyof InitOptions];
    if (!expected) throw badArgument("init", `the options ${Object.keys(kInitOptions).join(", ")}`, name);
    if (value !== undefined && !expected[1].test(tagOf(value)))
      throw badArgument("init", `${expected[0]} as '${name}'`, value);
  }
  const { workers = 1 } = options;
  if (!(Number.isInteger(workers) && workers > 0 && workers <= 64))
    throw badArgument("init", `${kInitOptions.workers[0]} as 'workers'`, workers);
  return options;
}

const kInitOptions: Record<keyof InitOptions, [what: string, types: RegExp]> = {
  wasmUrl: ["an address", /^(string|URL)$/],
  wasmBinary: ["bytes", /Array(Buffer)?$|^DataView$/],
  wasmModule: ["a WebAssembly.Module", /^WebAssembly.Module$/],
  workers: ["a number from 1 to 64", /^number$/],
  workerUrl: ["an address", /^(string|URL)$/],
  worker: ["a function that makes a worker", /^function$/],
};

/** Returns the class that a platform's object is of, in any realm ("Blob"); else the type. */
export function tagOf(value: unknown): string {
  return typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
}

/** Returns options as JSON. Fails with "bad-option" if a value has no JSON form, which would be dropped without a word. */
export function jsonOfOptions(options: object): string {
  if (!CRYOGRAPH_CHECKS) return JSON.stringify(options);
  const wrong = (name: string, found: unknown) =>
    failure(
      "bad-option",
      `the option '${name}' takes texts, numbers, true, false or lists of these; found ${described(found)}`,
      "see the types of this call",
      undefined,
      2,
    );
  for (const [name, value] of Object.entries(options)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      if (["bigint", "function", "symbol", "object"].includes(typeof each)) throw wrong(name, each);
  }
  return JSON.stringify(options);
}

/** Returns what a value is, in words. */
export function described(value: unknown): string {
  if (value === null || value === undefined || typeof value === "boolean") return String(value);
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === "number" || typeof value === "bigint") return `the number ${value}`;
  if (typeof value !== "object") return `a ${typeof value}`;
  return `an object of class ${tagOf(value)}`;
}
