/** Returns core/data/ops.bin, packed: a chunk of its own that every bundler includes. */
export async function opsBeside(): Promise<string> {
  return (await import("cryograph-ops-text")).default;
}
