import { failure } from "../api/errors.js";
import type { Endpoint } from "../api/types.js";
import type { Graph, TfNode } from "./graph.js";
import { imageFor, takesImages } from "./image.js";
import { feedOf, isLiteral } from "./literal.js";
import type { Range } from "./lookups.js";
import { type Given, randomValues } from "./random.js";
import type { TensorFlowJs, TfTensor } from "./tensorflow_js.js";
import type { FedInput, Feed, VerifyOptions } from "./types.js";

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

/** The values of an input, and how they are reported. */
export interface Fed {
  placeholder: SharedInput;
  input: FedInput;
  values: Feed;
}

type Named = Readonly<Record<string, unknown>>;

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

function agree(a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === null || b === null) return true;
  return a.length === b.length && a.every((size, i) => size === -1 || b[i] === -1 || size === b[i]);
}

function merged(a: number[] | null, b: number[] | null): number[] | null {
  return a && b ? a.map((size, i) => (size === -1 ? b[i]! : size)) : (a ?? b);
}

function describe({ name, dtype, shape }: Placeholder): string {
  return `${name} ${dtype} [${shape ?? "?"}]`;
}

/** Returns a value for each input: the one that is given, the image, or seeded random numbers. `ranges`: of whole numbers, by input. */
export function feedsFor(
  tf: TensorFlowJs,
  inputs: readonly SharedInput[],
  options: VerifyOptions,
  ranges: ReadonlyMap<string, Range>,
): Fed[] {
  const given = options.feed ?? {};
  const unknown = Object.keys(given).find((name) => !inputs.some((input) => input.name === name));
  if (unknown !== undefined) {
    throw failure(
      "no-such-input",
      `there is no input '${unknown}'`,
      `there is ${inputs.map(({ name }) => name).join(", ") || "none"}`,
    );
  }
  const open = inputs.filter(({ name }) => !Object.hasOwn(given, name));
  const pictured = options.image ? theOne(open.filter(takesImages), inputs) : null;
  return inputs.map((input) => {
    const { name, dtype } = input;
    const { values, ...source } = Object.hasOwn(given, name)
      ? givenValues(tf, input, given[name]!, options)
      : input === pictured
        ? { values: imageFor(tf, input, options.image!, options), from: "image" as const }
        : randomValues(input, options.seed ?? 0, ranges.get(name));
    return {
      placeholder: input,
      values,
      input: { name, dtype, shape: [...values.shape], ...source, ...(input.optional && { optional: true as const }) },
    };
  });
}

function givenValues(
  tf: TensorFlowJs,
  input: Placeholder,
  given: NonNullable<VerifyOptions["feed"]>[string],
  options: VerifyOptions,
): Given {
  if (isLiteral(given)) return { values: checked(feedOf(given, input), input), from: "feed" };
  if (!("width" in given)) return { values: checked(given, input), from: "feed" };
  return { values: imageFor(tf, checkedForImage(input), given, options), from: "image" };
}

function checkedForImage(input: Placeholder): Placeholder {
  if (takesImages(input)) return input;
  throw failure("no-image-input", `an image is a value for an input of 1, 3 or 4 channels; found ${describe(input)}`, [
    { action: "feed-array" },
  ]);
}

function theOne<T extends Placeholder>(pictured: readonly T[], all: readonly Placeholder[]): T {
  if (pictured.length === 1) return pictured[0]!;
  const found = all.map(describe).join(", ");
  throw failure(
    "no-image-input",
    `an image is a value for the one input of 1, 3 or 4 channels; found ${found || "no input"}`,
    "give values for the others, or the image as an array",
  );
}

function checked(feed: Feed, { name, shape }: Placeholder): Feed {
  const count = feed.shape.reduce((all, size) => all * size, 1);
  if (agree(shape, [...feed.shape]) && count === feed.data.length) return feed;
  throw failure(
    "bad-feed",
    `the input '${name}' has the shape [${shape ?? "?"}]; found [${feed.shape}] and ${feed.data.length} elements`,
    "give an array of that shape",
  );
}

/** The value as a tensor of TensorFlow.js, which has fewer types than TensorFlow. */
export function tensorOf(tf: TensorFlowJs, { placeholder: { name, dtype }, values: { shape, data } }: Fed): TfTensor {
  if (dtype === "string") return tf.tensor(Array.from(data), [...shape], "string");
  if (dtype === "bool")
    return tf.tensor(
      Uint8Array.from(data as ArrayLike<number>, (value) => (value ? 1 : 0)),
      [...shape],
      "bool",
    );
  const numbers = Array.from(data as ArrayLike<number | bigint>, Number);
  if (/^b?float|^half/.test(dtype)) return tf.tensor(Float32Array.from(numbers), [...shape], "float32");
  if (!/^q?u?int/.test(dtype))
    throw failure("bad-feed", `the input '${name}' is ${dtype}, which TensorFlow.js does not take`, "");
  const whole = Int32Array.from(numbers);
  if (numbers.every((value, i) => value === whole[i])) return tf.tensor(whole, [...shape], "int32");
  throw failure(
    "bad-feed",
    `the input '${name}' is ${dtype}, and not all its values are whole numbers of 32 bits`,
    "give other values",
  );
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
