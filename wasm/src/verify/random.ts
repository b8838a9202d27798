import type { Placeholder } from "./feeds.js";
import type { Feed } from "./types.js";

/** What a size is where the model leaves it open: that of a batch, and of what else there is. */
const kBatch = 1;
const kOpen = 32;
/** Whole numbers stay below: indices into vocabularies and the like. */
const kSmall = 10;

/**
 * Values for an input that the seed and its name decide: floats of 0 to 1, bytes of 0 to 255, other whole numbers of 0 to 9. What is
 * a single value is rather a switch than data: 1 (a keep_prob) and false (is_training).
 */
export function randomValues({ name, dtype, shape }: Placeholder, seed: number): Feed {
  const sizes = (shape ?? []).map((size, i) => (size >= 0 ? size : i === 0 ? kBatch : kOpen));
  const count = sizes.reduce((all, size) => all * size, 1);
  const next = numbers(`${seed} ${name}`);
  const single = sizes.length === 0;
  const data = Array.from({ length: count }, () => {
    const number = next();
    if (dtype === "bool") return single || number < 0.5 ? 0 : 1;
    if (dtype === "string") return `word ${Math.floor(number * kSmall)}`;
    if (single) return 1;
    if (dtype === "uint8") return Math.floor(number * 256);
    return dtype.includes("int") ? Math.floor(number * kSmall) : Math.fround(number);
  });
  return { shape: sizes, data };
}

// Marsaglia's xorshift of 32 bits, begun at a hash (FNV-1a) of the text.
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
