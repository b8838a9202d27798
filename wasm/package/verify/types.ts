// The options and the report of verify.

import type { ElementDifference } from "../types/pair_types.js";
import type { OutputFile } from "../model/output.js";
import type { CallOptions, FreezeOptions, Integer, Names, Report, Shape, TensorInfo } from "../types/types.js";
import type { TensorFlowJs } from "./tensorflow_js.js";

/** A value for an input: numbers row by row, as Model.weight() returns them. Strings are text or bytes. */
export interface Feed {
  shape: readonly number[];
  data: ArrayLike<number | bigint | string | Uint8Array>;
}

/** A value written out: 3, true, "text", [[1, 2], [3, 4]]. */
export type Literal = number | boolean | string | readonly Literal[];

/** Pixels as an ImageData has them: four bytes each, red, green, blue, opacity. */
export interface Pixels {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/**
 * Options of verify. `signature`, `inputs` and `set` are passed to freezing both models; `set` applies to each model that has the
 * placeholder. `onProgress` counts the bytes that are read of them.
 */
export interface VerifyOptions extends CallOptions, Pick<FreezeOptions, "signature" | "inputs" | "set"> {
  /**
   * Values for inputs, by their names; images are converted as `image` is. All other inputs get seeded random numbers, within the range of
   * the table that they index.
   */
  feed?: Readonly<Record<string, Feed | Pixels | Literal>>;
  /** Image for the one input that takes images: resized to it, then (x - mean) * scale of each value of 0 to 255. */
  image?: Pixels;
  /** Default 0. */
  mean?: number;
  /** Default 1. */
  scale?: number;
  /** Seed of the random numbers; default 0. */
  seed?: number;
  /** An element counts as equal if |a - b| <= tolerance * max(1, |a|, |b|); default 0, which means bit for bit. */
  tolerance?: number;
  /** The tensors to compare; default: the outputs of both models. */
  outputs?: Names;
  /** Also returns, as `report.script`, a Python script of this name that compares both in TensorFlow on the same input. */
  script?: string;
  /** TensorFlow.js, if it is not to be imported by its packages' names. */
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
  /** The largest first, five at most; `other` is the second model's value there. */
  top: { index: number; value: number; other: number }[];
}

/** undecided: one of the two models did not compute it. */
export type Verdict = "equal" | "different" | "undecided";

/** A tensor of both models. */
export interface ComparedTensor {
  name: string;
  /** The type that TensorFlow.js computed: int64 is int32 there. null: unknown. */
  dtype: string | null;
  shape: Shape;
  /** Its name in the other model, when that is another. */
  other?: string;
  verdict: Verdict;
  /** true: bit for bit, or within the tolerance; null: undecided. */
  equal: boolean | null;
  /** The largest absolute difference of two numbers; null: undecided, strings, or of other types or shapes. */
  largest: number | "infinity" | null;
  /** The reason for the verdict, in words. */
  why: string;
  /** Undecided: the node that could not be run, and its op, when they are known. */
  node?: string;
  op?: string;
  /** null: bit for bit the same, or undecided. */
  difference: TensorDifference | null;
  /** Set for outputs that look like scores of classes. */
  classes?: Classes;
}

/** A tensor that was compared because it is computed before an output that could not be run. It takes no part in the verdict. */
export interface InsteadTensor extends ComparedTensor {
  insteadOf: string;
}

/** A node whose values differ while those of its inputs are the same. */
export interface FirstDifference extends ComparedTensor {
  node: string;
  op: string;
  /** Its op in the other model, if it differs. */
  otherOp?: string;
}

/** An output that is undecided: why, and because of which node, when that is known. */
export interface Uncovered {
  name: string;
  why: string;
  node?: string;
  op?: string;
}

export interface FedInput extends TensorInfo {
  /** The source of its values. fixed: a single value is not drawn; see `value` and `why`. */
  from: "feed" | "image" | "random" | "fixed";
  /** Random whole numbers: the smallest and the largest that are drawn; and the table that they index, in `why`. */
  range?: [number, number];
  /** The value of a "fixed" input. */
  value?: number | boolean;
  why?: string;
  /** It has a default value, which it keeps unless it is fed. */
  optional?: true;
}

export interface VerifyReport extends Report {
  other: string;
  /** equal: every output ran in both models and is equal. different: one differs. undecided: none differs, and one could not be run. */
  verdict: Verdict;
  /** null: undecided. */
  equal: boolean | null;
  /** The runtime: "TensorFlow.js 4.22.0, cpu". */
  runner: string;
  seed: Integer;
  tolerance: number;
  inputs: FedInput[];
  outputs: ComparedTensor[];
  instead: InsteadTensor[];
  firstDifference: FirstDifference | null;
  /** The outputs that are undecided. */
  uncovered: Uncovered[];
  /** Ops of the two models that TensorFlow.js does not have. */
  missingOps: string[];
  /** With the option `script`: the script itself, then the frozen models and the values of inputs that it loads. Exit status: 0 equal, 1 different, 3 undecided. */
  script?: OutputFile[];
}
