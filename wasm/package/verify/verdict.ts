import type { Comparison, Target } from "./twin.js";
import type { ComparedTensor, TensorDifference, Verdict } from "./types.js";

/** A tensor that both models computed. */
export type Computed = Exclude<Comparison, { failed: string }>;

/** The verdict on all outputs: "equal" only when every one of them ran in both models and is equal. */
export function verdictOf(outputs: readonly ComparedTensor[]): Verdict {
  const verdicts = outputs.map(({ verdict }) => verdict);
  if (verdicts.includes("different")) return "different";
  return verdicts.length === 0 || verdicts.includes("undecided") ? "undecided" : "equal";
}

export function isEqual({ difference }: Pick<Computed, "difference">): boolean {
  return difference === null || difference.within;
}

/** The result of a tensor that both models computed. */
export function comparedTensor(target: Target, { dtype, shape, difference, remark }: Computed): ComparedTensor {
  const equal = isEqual({ difference });
  const why = difference === null ? `bit for bit${remark}` : reasonOf(difference, dtype);
  return {
    ...namesOf(target),
    dtype,
    shape,
    verdict: equal ? "equal" : "different",
    equal,
    largest: difference === null ? (dtype === "string" ? null : 0) : (difference.largestAbsolute ?? null),
    why: equal && difference ? `within the tolerance: ${why}` : why,
    difference,
  };
}

/** The result of a tensor that one of the two models did not compute. */
export function uncoveredTensor(target: Target, reason: Pick<ComparedTensor, "why" | "node" | "op">): ComparedTensor {
  return {
    ...namesOf(target),
    dtype: null,
    shape: null,
    verdict: "undecided",
    equal: null,
    largest: null,
    ...reason,
    difference: null,
  };
}

function namesOf({ a, b }: Target): Pick<ComparedTensor, "name" | "other"> {
  return { name: a, ...(a !== b && { other: b }) };
}

function reasonOf({ otherDtype, otherShape, count, elements, nans }: TensorDifference, dtype: string): string {
  if (count === undefined) return `the other is ${otherDtype ?? dtype} [${otherShape ?? ""}]`;
  return `${count} of ${elements} elements differ${nans ? `, ${nans} of them NaN on a side` : ""}`;
}
