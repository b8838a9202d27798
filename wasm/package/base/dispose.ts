declare global {
  // The same as in lib.esnext.disposable, for projects without it.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

/**
 * The key of the method that `using` calls at the end. Safari has no Symbol.dispose yet: bundlers that compile `using`
 * for it use this one.
 */
export const kDispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
