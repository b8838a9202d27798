// Types of the reports on one node and on one weight.

import type { CallOptions } from "./call_options.js";
import type { Report, Shape } from "./report.js";

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

/** The arrays of a weight's elements, by type. */
export interface WeightArrays {
  float32: Float32Array;
  float64: Float64Array;
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  /** 0 or 1. */
  bool: Uint8Array;
  /** Raw bits: no JavaScript array has these two types everywhere. */
  float16: Uint16Array;
  bfloat16: Uint16Array;
  /** Pairs: real, imaginary. */
  complex64: Float32Array;
  complex128: Float64Array;
  /** Quantized integers, as stored. */
  qint8: Int8Array;
  quint8: Uint8Array;
  qint16: Int16Array;
  quint16: Uint16Array;
  qint32: Int32Array;
  /** A byte each. */
  int4: Int8Array;
  uint4: Uint8Array;
  int2: Int8Array;
  uint2: Uint8Array;
  float8_e5m2: Uint8Array;
  float8_e4m3fn: Uint8Array;
  /** The bytes of each. */
  string: Uint8Array[];
}

/** The types of weights that have values in JavaScript. */
export type WeightDtype = keyof WeightArrays;

export type TypedArray = Exclude<WeightArrays[WeightDtype], Uint8Array[]>;

/** A weight's values, row-major: `dtype` tells the array's type. */
export type Weight<D extends WeightDtype = WeightDtype> = {
  [Each in D]: { dtype: Each; shape: number[]; data: WeightArrays[Each] };
}[D];

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
