import type { Value } from "./difference.js";
import type { Classes } from "./types.js";

const kMaxShown = 5;
const kRounding = 1e-3; // of a sum of many float32

/** Returns the classes that an output ranks, if it looks like scores of several. */
export function classesOf(a: Value, b: Value): Classes | null {
  const [scores, others] = [a, b].map(scoresOf);
  if (!scores || !others || scores.length !== others.length) return null;
  const order = Array.from(scores.keys()).sort((i, j) => scores[j]! - scores[i]!);
  const sum = scores.reduce((all, value) => all + value, 0);
  return {
    count: scores.length,
    probabilities: scores.every((value) => value >= 0) && Math.abs(sum - 1) < kRounding,
    top: order.slice(0, kMaxShown).map((index) => ({ index, value: scores[index]!, other: others[index]! })),
  };
}

function scoresOf({ data, shape }: Value): Float32Array | null {
  const flat = shape.length === 1 || (shape.length === 2 && shape[0] === 1);
  return flat && data instanceof Float32Array && data.length > 1 && data.every(Number.isFinite) ? data : null;
}
