import type { WeightBytes } from "../core/binding.js";
import { failure } from "../base/errors.js";
import { joinParts, partSize } from "../source/parts.js";
import type { Part } from "../source/parts.js";
import type { TypedArray, Weight, WeightDtype, WeightOptions } from "../types/types.js";

interface ArrayOf {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset?: number, length?: number): TypedArray;
}

// The classes of WeightArrays.
const kArrays: Record<Exclude<WeightDtype, "string">, ArrayOf> = {
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
  float16: Uint16Array,
  bfloat16: Uint16Array,
  complex64: Float32Array,
  complex128: Float64Array,
  qint8: Int8Array,
  quint8: Uint8Array,
  qint16: Int16Array,
  quint16: Uint16Array,
  qint32: Int32Array,
  int4: Int8Array,
  uint4: Uint8Array,
  int2: Int8Array,
  uint2: Uint8Array,
  float8_e5m2: Uint8Array,
  float8_e4m3fn: Uint8Array,
};

/** Little-endian, like every machine that runs WebAssembly. */
export async function decodeWeight(
  { dtype, shape }: WeightBytes,
  parts: readonly Part[],
  options: WeightOptions,
): Promise<Weight> {
  const { first = 0, count = Infinity } = options;
  if (dtype === "string") {
    const strings = decodeStrings(
      await joinParts(parts, options),
      shape.reduce((all, size) => all * size, 1),
    );
    return { dtype, shape, data: strings.slice(first, first + count) };
  }
  const Elements = arrayOf(dtype);
  const size = elementSize(dtype);
  // A checksum covers all of a weight: of a few values, none is compared.
  const bytes = await joinParts(cut(parts, first * size, count * size), options, first === 0 && count === Infinity);
  return { dtype, shape, data: new Elements(bytes.buffer) } as Weight;
}

export function arrayOf(dtype: string): ArrayOf {
  const found = (kArrays as Readonly<Record<string, ArrayOf>>)[dtype];
  if (!found) throw failure("dtype-without-array", `${dtype} has no typed array`, "write the weight to a file instead");
  return found;
}

/** In bytes. */
export function elementSize(dtype: string): number {
  return arrayOf(dtype).BYTES_PER_ELEMENT * (dtype.startsWith("complex") ? 2 : 1);
}

// `size` bytes of the parts from `offset` on, as parts.
function cut(parts: readonly Part[], offset: number, size: number): Part[] {
  const all: Part[] = [];
  let at = 0;
  for (const part of parts) {
    const from = Math.max(0, offset - at);
    const to = Math.min(partSize(part), offset + size - at);
    at += partSize(part);
    if (from >= to) continue;
    all.push(
      ArrayBuffer.isView(part) ? part.subarray(from, to) : { ...part, offset: part.offset + from, size: to - from },
    );
  }
  return all;
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
