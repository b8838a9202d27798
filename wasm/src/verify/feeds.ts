import { failure } from "../errors.js";
import type { Graph, TfNode } from "./graph.js";
import { imageFor, takesImages } from "./image.js";
import { randomValues } from "./random.js";
import type { TensorFlowJs, TfTensor } from "./tensorflow_js.js";
import type { FedInput, Feed, VerifyOptions } from "./types.js";

/** A placeholder; its type as TensorFlow calls it, -1 for sizes that are not known, null for a rank that is not. */
export interface Placeholder {
  name: string;
  dtype: string;
  shape: number[] | null;
  optional: boolean;
}

/** Those that are optional are left out, unless they are fed. */
export function placeholdersOf(graph: Graph, fed: Readonly<Record<string, unknown>>): Placeholder[] {
  const all = graph.placeholders().map(({ name, op, attr }) =>
    ({ name, dtype: dtypeOf(attr?.["dtype"]?.type), shape: shapeOf(attr?.["shape"]?.shape), optional: op === "PlaceholderWithDefault" }));
  return all.filter(({ name, optional }) => !optional || fed[name]);
}

/** Refuses two inputs that are to be one and cannot take the same values. */
export function checkAlike(ours: Placeholder | undefined, theirs: Placeholder): void {
  if (!ours || ours.dtype === theirs.dtype && agree(ours.shape, theirs.shape)) return;
  throw failure("other-inputs", `the two models do not take the same input: ${describe(ours)}; ${describe(theirs)}`,
    "compare models that run on the same");
}

function agree(a: number[] | null, b: number[] | null): boolean {
  if (a === null || b === null) return true;
  return a.length === b.length && a.every((size, i) => size === -1 || b[i] === -1 || size === b[i]);
}

function describe({ name, dtype, shape }: Placeholder): string {
  return `${name} ${dtype} [${shape ?? "?"}]`;
}

/** What an input is given, and how that is told. */
export interface Fed {
  input: FedInput;
  tensor: TfTensor;
}

/** A value for each input: what was given for it, the image, or random numbers. */
export function feedsFor(tf: TensorFlowJs, inputs: readonly Placeholder[], options: VerifyOptions): Fed[] {
  const given = options.feed ?? {};
  const unknown = Object.keys(given).find((name) => !inputs.some((input) => input.name === name));
  if (unknown !== undefined) {
    throw failure("no-such-input", `there is no input '${unknown}'`, `there is ${inputs.map(({ name }) => name).join(", ") || "none"}`);
  }
  const open = inputs.filter(({ name }) => !given[name]);
  const pictured = options.image ? theOne(open.filter(takesImages), inputs) : null;
  return inputs.map((input) => {
    const feed = given[input.name];
    const { name, dtype } = input;
    const [value, from] = feed && !("width" in feed) ? [checked(feed, input), "feed" as const]
      : feed ? [imageFor(tf, checkedForImage(input), feed, options), "image" as const]
      : input === pictured ? [imageFor(tf, input, options.image!, options), "image" as const]
      : [randomValues(input, options.seed ?? 0), "random" as const];
    const told = { name, dtype, shape: [...value.shape], from, ...(input.optional && { optional: true as const }) };
    return { input: told, tensor: tensorOf(tf, value, input) };
  });
}

function checkedForImage(input: Placeholder): Placeholder {
  if (takesImages(input)) return input;
  throw failure("no-image-input", `an image goes into an input of 1, 3 or 4 channels; found ${describe(input)}`, "give it as an array");
}

function theOne(pictured: readonly Placeholder[], all: readonly Placeholder[]): Placeholder {
  if (pictured.length === 1) return pictured[0]!;
  const found = all.map(describe).join(", ");
  throw failure("no-image-input", `an image goes into the one input of 1, 3 or 4 channels; found ${found || "no input"}`,
    "give the others with --feed, or the image as an array");
}

function checked(feed: Feed, { name, shape }: Placeholder): Feed {
  const count = feed.shape.reduce((all, size) => all * size, 1);
  if (agree(shape, [...feed.shape]) && count === feed.data.length) return feed;
  throw failure("bad-feed", `the input '${name}' has the shape [${shape ?? "?"}]; found [${feed.shape}] and ${feed.data.length} elements`,
    "give an array of that shape");
}

function tensorOf(tf: TensorFlowJs, { shape, data }: Feed, { name, dtype }: Placeholder): TfTensor {
  if (dtype === "string") return tf.tensor(Array.from(data), [...shape], "string");
  if (dtype === "bool") return tf.tensor(Uint8Array.from(data as ArrayLike<number>, (value) => (value ? 1 : 0)), [...shape], "bool");
  const numbers = Array.from(data as ArrayLike<number | bigint>, Number);
  if (/^b?float|^half/.test(dtype)) return tf.tensor(Float32Array.from(numbers), [...shape], "float32");
  if (!/^q?u?int/.test(dtype)) throw failure("bad-feed", `the input '${name}' is ${dtype}, which TensorFlow.js does not take`, "");
  const whole = Int32Array.from(numbers);
  if (numbers.every((value, i) => value === whole[i])) return tf.tensor(whole, [...shape], "int32");
  throw failure("bad-feed", `the input '${name}' is ${dtype}, and not all its values are whole numbers of 32 bits`, "give other values");
}

function dtypeOf(type: string | number | undefined): string {
  const name = String(type ?? "").replace(/^DT_/, "");
  return ({ FLOAT: "float32", DOUBLE: "float64", HALF: "float16" } as Record<string, string>)[name] ?? name.toLowerCase();
}

function shapeOf(shape: NonNullable<TfNode["attr"]>[string]["shape"]): number[] | null {
  if (!shape || shape.unknownRank) return null;
  return (shape.dim ?? []).map(({ size }) => Number(size ?? 0));
}
