/** core/graph/ops.bin, packed: a chunk of its own that every bundler knows how to carry along. */
export async function opsBeside(): Promise<string> {
  return (await import("cryograph-ops-text")).default;
}
