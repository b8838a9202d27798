// Types of the reports on one node and on one weight.

import type { CallOptions, Report, Shape } from "./types.js";

/** An output of a node, as far as the graph declares it. */
export interface Output {
  port: number;
  dtype: string | null;
  shape: Shape;
}

/** One of a node's inputs. A control input has no type. */
export interface NodeInput extends Partial<Output> {
  /** The tensor as spelled: "conv1/Relu", "Split:1", "^init". */
  tensor: string;
  /** null if the node does not exist. */
  node: string | null;
  op: string | null;
  port: number;
  control: boolean;
}

/** A node that takes an output, as its input number `input`. */
export interface Consumer {
  node: string;
  op: string;
  input: number;
  port: number;
  control: boolean;
}

export interface NodeAttr {
  name: string;
  /** "int", "list(shape)", ... as TensorFlow names kinds; "placeholder" within functions. */
  kind: string;
  /** Types by their names, shapes as arrays, of a tensor its `dtype` and `shape`. Of a long list the first elements. */
  value: unknown;
  /** Length of a list that is cut. */
  count?: number;
}

export interface NodeInfo {
  name: string;
  op: string;
  device: string;
  attrs: NodeAttr[];
  inputs: NodeInput[];
  outputs: Output[];
  consumers: Consumer[];
  /** Library functions that it names. */
  calls: string[];
}

export interface NodeReport extends Report {
  node: NodeInfo;
}

export interface NodeOptions extends CallOptions {
  /** The library function whose body has the node; default: the main graph. */
  function?: string;
}

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** float16 and bfloat16 come as raw 16 bits, complex numbers as pairs, strings as the bytes of each. */
export interface Weight {
  dtype: string;
  shape: number[];
  data: TypedArray | Uint8Array[];
}

export interface WeightOptions extends CallOptions {
  /**
   * Only `count` elements, row-major, from `first` on: no others are read, where they have a size.
   *
   * A checksum covers a whole tensor, so a part that is read is not compared with it: damage in the file is reported only by a call
   * without `first` and `count`.
   */
  first?: number;
  count?: number;
}

/** Statistics of a weight of numbers. If no number is finite, the extremes, mean, deviation and histogram are absent. */
export interface Statistics {
  dtype: string;
  shape: number[];
  count: number;
  zeros: number;
  nans: number;
  infinities: number;
  least: number | null;
  most: number | null;
  mean: number | null;
  /** The standard one, of the whole. */
  deviation: number | null;
  /** How many finite elements lie in each of equal steps from the least to the most. */
  histogram: number[];
}
