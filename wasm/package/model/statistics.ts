import type { WeightBytes } from "../core/binding.js";
import { hasNumbers, numbersOf } from "./numbers.js";
import { failure } from "../base/errors.js";
import { readParts } from "../source/parts.js";
import type { Part } from "../source/parts.js";
import type { CallOptions, Statistics } from "../types/types.js";
import { elementSize } from "./weight.js";

const kBars = 64;
const kStep = 1024 * 1024;

type Finite = Pick<Statistics, "zeros" | "nans" | "infinities"> & {
  least: number;
  most: number;
  sum: number;
  finite: number;
};

/**
 * Computes the statistics. Reads the value twice, in steps: first for the extremes and the mean, then for the figures
 * that depend on them.
 */
export async function statisticsOf(
  { dtype, shape }: WeightBytes,
  parts: readonly Part[],
  options: CallOptions,
): Promise<Statistics> {
  if (!hasNumbers(dtype))
    throw failure("dtype-without-numbers", `${dtype} is not numbers`, "look at its values instead");
  const size = elementSize(dtype);
  const ends = { zeros: 0, nans: 0, infinities: 0, least: Infinity, most: -Infinity, sum: 0, finite: 0 };
  for await (const step of wholeElements(readParts(parts, options, [new Uint8Array(kStep)]), size))
    addEnds(ends, numbersOf(dtype, step));
  const count = ends.finite + ends.nans + ends.infinities;
  const { zeros, nans, infinities } = ends;
  const known = { dtype, shape, count, zeros, nans, infinities };
  if (ends.finite === 0) return { ...known, least: null, most: null, mean: null, deviation: null, histogram: [] };
  const mean = ends.sum / ends.finite;
  const spread = { squares: 0, histogram: new Array<number>(ends.least === ends.most ? 1 : kBars).fill(0) };
  for await (const step of wholeElements(readParts(parts, options, [new Uint8Array(kStep)]), size))
    addSpread(spread, numbersOf(dtype, step), ends, mean);
  const deviation = Math.sqrt(spread.squares / ends.finite);
  return { ...known, least: ends.least, most: ends.most, mean, deviation, histogram: spread.histogram };
}

function addEnds(to: Finite, numbers: ArrayLike<number>): void {
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i]!;
    if (value - value !== 0) {
      // not finite
      if (value === value) to.infinities++;
      else to.nans++;
      continue;
    }
    if (value === 0) to.zeros++;
    if (value < to.least) to.least = value;
    if (value > to.most) to.most = value;
    to.sum += value;
    to.finite++;
  }
}

function addSpread(
  to: { squares: number; histogram: number[] },
  numbers: ArrayLike<number>,
  { least, most }: Finite,
  mean: number,
): void {
  const last = to.histogram.length - 1;
  const scale = most > least ? to.histogram.length / (most - least) : 0;
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i]!;
    if (value - value !== 0) continue;
    to.squares += (value - mean) ** 2;
    to.histogram[Math.min(last, Math.floor((value - least) * scale))]!++;
  }
}

// Steps end where files do; an element may lie across.
async function* wholeElements(steps: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let left = new Uint8Array(0);
  for await (const step of steps) {
    const bytes = left.length ? joined(left, step) : step;
    const whole = bytes.length - (bytes.length % size);
    left = bytes.slice(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
