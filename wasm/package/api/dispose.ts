/** The key of what `using` calls at the end. Safari has no Symbol.dispose yet: bundlers that write `using` for it take this one. */
export const kDispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
