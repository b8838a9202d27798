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
  // A byte each.
  int4: Int8Array,
  uint4: Uint8Array,
  int2: Int8Array,
  uint2: Uint8Array,
  float8_e5m2: Uint8Array,
  float8_e4m3fn: Uint8Array,
};

/** Little-endian, like every machine that runs WebAssembly. */
export async function decodeWeight(
  { dtype, shape }: WeightBytes, parts: readonly Part[], options: CallOptions): Promise<Weight> {
  const bytes = await joinParts(parts, options);
  if (dtype === "string") return { dtype, shape, data: decodeStrings(bytes, shape.reduce((all, size) => all * size, 1)) };
  const array = kArrays[dtype];
  if (!array) throw failure("dtype-without-array", `${dtype} has no typed array`, "write the weight to a file instead");
  return { dtype, shape, data: new array(bytes.buffer) };
}

// Strings as a checkpoint has them:
//
//     02 00 | 78 27 0B 34 | 61 62      ["ab", ""]
//     lengths as varints | their checksum | all bytes
function decodeStrings(bytes: Uint8Array, count: number): Uint8Array[] {
  const lengths: number[] = [];
  let at = 0;
  while (lengths.length < count && at < bytes.length) {
    let length = 0;
    let unit = 1;
    for (; bytes[at]! >= 0x80; at++, unit *= 0x80) length += (bytes[at]! - 0x80) * unit;
    lengths.push(length + bytes[at++]! * unit);
  }
  at += 4;
  return lengths.map((length) => bytes.subarray(at, (at += length)));
}
