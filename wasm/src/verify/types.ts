// What verify is asked and what it says.

import type { ElementDifference } from "../pair_types.js";
import type { CallOptions, FreezeOptions, Integer, More, Names, Report, TensorInfo } from "../types.js";
import type { TensorFlowJs } from "./tensorflow_js.js";

/** A value for an input: numbers row by row; what Model.weight() gives is one. Strings as text or bytes. */
export interface Feed {
  shape: readonly number[];
  data: ArrayLike<number | bigint | string | Uint8Array>;
}

/** Pixels as an ImageData has them: four bytes each, red, green, blue, opacity. */
export interface Pixels {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** Besides: what freezing both takes, for the models that are not frozen. `onProgress` counts what is read of them. */
export interface VerifyOptions extends CallOptions, Pick<FreezeOptions, "tag" | "signature" | "inputs" | "set">, More {
  /** Values for inputs, by their names; images become values as `image` does. Those that get none get seeded random numbers. */
  feed?: Readonly<Record<string, Feed | Pixels>>;
  /** For the one input that takes images: resized to it, then (x - mean) * scale of each value of 0 to 255. */
  image?: Pixels;
  /** 0 where it is not said. */
  mean?: number;
  /** 1 where it is not said. */
  scale?: number;
  /** Of the random numbers; 0 where it is not said. */
  seed?: number;
  /** An element counts as equal where |a - b| <= tolerance * max(1, |a|, |b|); 0, which means bit for bit, where it is not said. */
  tolerance?: number;
  /** What is compared; else the outputs that both models have. */
  outputs?: Names;
  /** TensorFlow.js, where it is not to be imported by its packages' names. */
  tf?: TensorFlowJs;
}

export interface TensorDifference extends ElementDifference {
  /** All of it is within the tolerance. */
  within: boolean;
}

/** The largest values of an output that may be a score for each of several classes: of floats, [n] or [1, n]. */
export interface Classes {
  count: number;
  /** None is negative, and they add up to 1. */
  probabilities: boolean;
  /** The largest first, five at most; `other` is what the second model gives in that place. */
  top: { index: number; value: number; other: number }[];
}

/** A tensor that both models computed. */
export interface ComparedTensor extends TensorInfo {
  /** Its name in the other model, where that is another. */
  other?: string;
  /** Bit for bit, or within the tolerance. */
  equal: boolean;
  /** The output in whose place it was compared: that one cannot be computed. */
  insteadOf?: string;
  /** null: bit for bit the same. */
  difference: TensorDifference | null;
  /** Of outputs that look like that. */
  classes?: Classes;
}

/** A node whose values differ while those of its inputs are the same. */
export interface FirstDifference extends ComparedTensor {
  node: string;
  op: string;
  /** Its op in the other model, where that is another. */
  otherOp?: string;
}

/** An output that could not be compared: why, and by which node, where that is known. */
export interface Uncovered {
  name: string;
  why: string;
  node?: string;
  op?: string;
}

export interface FedInput extends TensorInfo {
  /** Where its values came from. */
  from: "feed" | "image" | "random";
  /** It has a value of its own, which it would have kept. */
  optional?: true;
}

export interface VerifyReport extends Report {
  other: string;
  /** All that was compared is equal. What was not stands in `uncovered`. */
  equal: boolean;
  /** What ran the models: "TensorFlow.js 4.22.0, cpu". */
  runner: string;
  seed: Integer;
  tolerance: number;
  inputs: FedInput[];
  outputs: ComparedTensor[];
  firstDifference: FirstDifference | null;
  uncovered: Uncovered[];
  /** Ops of the two models that TensorFlow.js does not have. */
  missingOps: string[];
}
