// The elements of a tensor as numbers, whatever their type.
import { failure } from "../base/errors.js";
import { arrayOf } from "./weight.js";

let halves: Float32Array | null = null;

/** One number an element. Whole numbers of 64 bits are rounded. `bytes`: whole elements. */
export function numbersOf(dtype: string, bytes: Uint8Array): ArrayLike<number> {
  if (!hasNumbers(dtype))
    throw failure("dtype-without-numbers", `${dtype} is not numbers`, "write the weight to a file instead");
  const Elements = arrayOf(dtype);
  const aligned = bytes.byteOffset % Elements.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  const raw = new Elements(
    aligned.buffer as ArrayBuffer,
    aligned.byteOffset,
    aligned.length / Elements.BYTES_PER_ELEMENT,
  );
  if (raw instanceof BigInt64Array || raw instanceof BigUint64Array) return Float64Array.from(raw, Number);
  if (dtype === "bfloat16") return new Float32Array(Uint32Array.from(raw, (bits) => bits << 16).buffer);
  return dtype === "float16" ? Float32Array.from(raw, (bits) => (halves ??= allHalves())[bits]!) : raw;
}

export function hasNumbers(dtype: string): boolean {
  return !/^(string|complex.*|float8.*|resource|variant)$/.test(dtype);
}

// Each of the 65,536 values:  s eeeee mmmmmmmmmm
function allHalves(): Float32Array {
  return Float32Array.from({ length: 0x10000 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const mantissa = bits & 0x3ff;
    if (exponent === 0x1f) return mantissa ? NaN : sign * Infinity;
    return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
  });
}
