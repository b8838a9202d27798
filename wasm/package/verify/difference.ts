import type { Integer } from "../types/types.js";
import type { TensorDifference } from "./types.js";

/** A tensor out of TensorFlow.js. Complex numbers are pairs; strings the bytes of each. */
export interface Value {
  dtype: string;
  shape: number[];
  data: Float32Array | Int32Array | Uint8Array | Uint8Array[];
}

/** Returns the difference, in the terms of `diff`; null if all bits are equal. */
export function differenceOf(a: Value, b: Value, tolerance: number): TensorDifference | null {
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) {
    return { otherDtype: b.dtype, otherShape: b.shape, within: false };
  }
  const places = differingPlaces(a, b);
  if (places.length === 0) return null;
  const elements = a.shape.reduce((all, size) => all * size, 1);
  const parts = Math.max(1, a.data.length / elements); // of a complex number, two
  const indices = new Set(places.map((place) => Math.floor(place / parts)));
  const firstIndex = Math.floor(places[0]! / parts);
  const found = { elements, count: indices.size, firstIndex, firstPosition: position(firstIndex, a.shape) };
  return {
    ...found,
    ...(Array.isArray(a.data) ? { within: false } : distances(a.data, b.data as Float32Array, places, tolerance)),
  };
}

function differingPlaces(a: Value, b: Value): number[] {
  const places: number[] = [];
  const [left, right] = [bitsOf(a.data), bitsOf(b.data)];
  for (let i = 0; i < left.length; i++) if (!sameBits(left[i]!, right[i]!)) places.push(i);
  return places;
}

// 0 and -0 are not the same, and a NaN is itself.
function bitsOf(data: Value["data"]): ArrayLike<number> | Uint8Array[] {
  return data instanceof Float32Array ? new Uint32Array(data.buffer, data.byteOffset, data.length) : data;
}

function sameBits(a: number | Uint8Array, b: number | Uint8Array): boolean {
  if (typeof a === "number" || typeof b === "number") return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

type Distances = Pick<TensorDifference, "largestAbsolute" | "largestRelative" | "nans" | "within">;

function distances(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  places: readonly number[],
  tolerance: number,
): Distances {
  let [largest, relative, nans, beyond] = [0, 0, 0, 0];
  for (const place of places) {
    const [left, right] = [a[place]!, b[place]!];
    if (Number.isNaN(left) || Number.isNaN(right)) {
      nans++;
      continue;
    }
    const apart = Math.abs(left - right);
    const larger = Math.max(Math.abs(left), Math.abs(right));
    largest = Math.max(largest, apart);
    relative = Math.max(relative, apart === 0 ? 0 : larger === Infinity ? Infinity : apart / larger);
    if (!(apart <= tolerance * Math.max(1, larger))) beyond++;
  }
  const within = tolerance > 0 && nans === 0 && beyond === 0;
  return { largestAbsolute: numberOf(largest), largestRelative: numberOf(relative), nans, within };
}

// JSON has no infinity.
function numberOf(value: number): number | "infinity" {
  return value === Infinity ? "infinity" : value;
}

// 7 of [2,5] -> [1,2].
function position(index: number, shape: readonly number[]): Integer[] {
  const place: number[] = [];
  for (const size of [...shape].reverse()) {
    place.unshift(index % size);
    index = Math.floor(index / size);
  }
  return place;
}
