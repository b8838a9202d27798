import type { WeightBytes } from "./binding.js";
import { failure } from "./errors.js";
import { joinParts } from "./output.js";
import type { Part } from "./source.js";
import type { CallOptions, TypedArray, Weight } from "./types.js";

type ArrayOf = new (buffer: ArrayBuffer) => TypedArray;

const kArrays: Record<string, ArrayOf> = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
  // Raw bits: no JavaScript array has these types everywhere.
  float16: Uint16Array,
  bfloat16: Uint16Array,
  // Pairs: real, imaginary.
  complex64: Float32Array,
  complex128: Float64Array,
  // Quantised integers, as they are stored.
  qint8: Int8Array,
  quint8: Uint8Array,
  qint16: Int16Array,
  quint16: Uint16Array,
  qint32: Int32Array,
};

/** Little-endian, like every machine that runs WebAssembly. */
export async function decodeWeight(
  { dtype, shape }: WeightBytes, parts: readonly Part[], options: CallOptions): Promise<Weight> {
  const array = kArrays[dtype];
  if (!array) throw failure("dtype-without-array", `${dtype} has no typed array`, "write the weight to a file instead");
  const bytes = await joinParts(parts, options);
  return { dtype, shape, data: new array(bytes.buffer) };
}
