import type { Placeholder } from "./placeholders.js";
import type { Range } from "./lookups.js";
import type { FedInput, Feed } from "./types.js";

/** The size of a dimension that the model leaves open: of the batch, and of the others. */
const kBatch = 1;
const kOpen = 32;
/** Whole numbers are smaller, unless the table that they index is known. */
const kSmall = 10;

/** The values of an input, and how they are reported. */
export type Given = { values: Feed } & Pick<FedInput, "from" | "range" | "value" | "why">;

/**
 * Returns values for an input, which depend on the seed and its name alone: floats of 0 to 1, bytes of 0 to 255, other whole numbers of 0
 * to 9 or within `range`. A single value is not drawn, because it is rather a switch than data: 1 (keep_prob) or false (is_training).
 */
export function randomValues({ name, dtype, shape }: Placeholder, seed: number, range?: Range): Given {
  const sizes = (shape ?? []).map((size, i) => (size >= 0 ? size : i === 0 ? kBatch : kOpen));
  if (sizes.length === 0 && dtype !== "string") return single(dtype, range);
  const next = numbers(`${seed} ${name}`);
  const count = dtype === "uint8" ? Math.min(range?.count ?? 256, 256) : (range?.count ?? kSmall);
  const data = Array.from({ length: sizes.reduce((all, size) => all * size, 1) }, () => element(dtype, next(), count));
  const source = range && { range: [0, count - 1] as [number, number], why: `indices into ${range.table}` };
  return { values: { shape: sizes, data }, from: "random", ...source };
}

function element(dtype: string, number: number, count: number): number | string {
  if (dtype === "bool") return number < 0.5 ? 0 : 1;
  if (dtype === "string") return `word ${Math.floor(number * kSmall)}`;
  return dtype.includes("int") ? Math.floor(number * count) : Math.fround(number);
}

function single(dtype: string, range: Range | undefined): Given {
  const fixed = dtype === "bool" ? 0 : range?.count === 1 ? 0 : 1;
  const value = dtype === "bool" ? false : fixed;
  return {
    values: { shape: [], data: [fixed] },
    from: "fixed",
    value,
    why: `a single ${dtype === "bool" ? "bool" : "number"} is ${value} unless fed`,
  };
}

// Marsaglia's xorshift of 32 bits; the first state is a hash (FNV-1a) of the text.
function numbers(text: string): () => number {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0)!, 0x01000193);
  state ||= 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
