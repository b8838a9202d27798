// The inputs of models, and which of two models belong together.
import { failure } from "../base/errors.js";
import type { Endpoint } from "../types/types.js";
import type { Graph, TfNode } from "./graph.js";

type Named = Readonly<Record<string, unknown>>;

/** A placeholder; its type as TensorFlow calls it, -1 for unknown sizes, null for an unknown rank. */
export interface Placeholder {
  name: string;
  dtype: string;
  shape: number[] | null;
  optional: boolean;
}

/** An input of both models, with its name in each; null if a model has no such input. */
export interface SharedInput extends Placeholder {
  a: string | null;
  b: string | null;
}

/** Returns the placeholders of a graph, without the optional ones that are not fed. */
export function placeholdersOf(graph: Graph, given: Named): Placeholder[] {
  return graph
    .placeholders()
    .map(({ name, op, attr }) => ({
      name,
      dtype: dtypeOf(attr?.["dtype"]?.type),
      shape: shapeOf(attr?.["shape"]?.shape),
      optional: op === "PlaceholderWithDefault",
    }))
    .filter(({ name, optional }) => !optional || Object.hasOwn(given, name));
}

/** Returns the same from the report of `list`, if there is no graph in TensorFlow.js's format. */
export function placeholdersListed(endpoints: readonly Endpoint[], given: Named): Placeholder[] {
  return endpoints
    .map(({ name, dtype, shape, optional }) => ({
      name: name.replace(/:0$/, ""),
      dtype,
      shape: shape && shape.map(Number),
      optional: optional === true,
    }))
    .filter(({ name, optional }) => !optional || Object.hasOwn(given, name));
}

/**
 * Pairs the inputs of two models: by name, or the only one of each. Sizes that one model leaves open are those of the other.
 * Fails with "other-inputs" when two of a pair cannot take the same values.
 */
export function sharedInputs(ours: readonly Placeholder[], theirs: readonly Placeholder[]): SharedInput[] {
  const alone = ours.length === 1 && theirs.length === 1;
  const other = (input: Placeholder) => (alone ? theirs[0] : theirs.find(({ name }) => name === input.name));
  const pairs = ours.map((input) => {
    const twin = other(input);
    checkAlike(input, twin);
    return { ...input, shape: merged(input.shape, twin?.shape ?? null), a: input.name, b: twin?.name ?? null };
  });
  const more = theirs.filter(({ name }) => !pairs.some(({ b }) => b === name));
  return [...pairs, ...more.map((input) => ({ ...input, a: null, b: input.name }))];
}

function checkAlike(ours: Placeholder, theirs: Placeholder | undefined): void {
  if (!theirs || (ours.dtype === theirs.dtype && agree(ours.shape, theirs.shape))) return;
  throw failure(
    "other-inputs",
    `the two models do not take the same input: ${describe(ours)}; ${describe(theirs)}`,
    "compare models that run on the same",
  );
}

/** Returns whether two shapes may be the same. */
export function agree(a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === null || b === null) return true;
  return a.length === b.length && a.every((size, i) => size === -1 || b[i] === -1 || size === b[i]);
}

function merged(a: number[] | null, b: number[] | null): number[] | null {
  return a && b ? a.map((size, i) => (size === -1 ? b[i]! : size)) : (a ?? b);
}

/** Returns a placeholder in words. */
export function describe({ name, dtype, shape }: Placeholder): string {
  return `${name} ${dtype} [${shape ?? "?"}]`;
}

function dtypeOf(type: string | number | undefined): string {
  const name = String(type ?? "").replace(/^DT_/, "");
  return (
    ({ FLOAT: "float32", DOUBLE: "float64", HALF: "float16" } as Record<string, string>)[name] ?? name.toLowerCase()
  );
}

function shapeOf(shape: NonNullable<TfNode["attr"]>[string]["shape"]): number[] | null {
  if (!shape || shape.unknownRank) return null;
  return (shape.dim ?? []).map(({ size }) => Number(size ?? 0));
}
