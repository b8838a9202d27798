import { failure } from "../base/errors.js";
import { imageFor, takesImages } from "./image.js";
import { feedOf, isLiteral } from "./literal.js";
import type { Range } from "./lookups.js";
import { agree, describe, type Placeholder, type SharedInput } from "./placeholders.js";
import { type Given, randomValues } from "./random.js";
import type { TensorFlowJs, TfTensor } from "./tensorflow_js.js";
import type { FedInput, Feed, VerifyOptions } from "./types.js";

/** The values of an input, and how they are reported. */
export interface Fed {
  placeholder: SharedInput;
  input: FedInput;
  values: Feed;
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
