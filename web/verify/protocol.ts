import type { RunnablePair, VerifyOptions } from "../../wasm/package/entries/page_later.js";

/** The page's request to the worker that has TensorFlow.js: to run two models. Files are passed by reference. */
export interface RunRequest {
  do: "run";
  a: readonly BlobEntry[];
  b: readonly BlobEntry[];
  rest: Omit<RunnablePair, "a" | "b">;
  options: VerifyOptions;
}

export interface BlobEntry {
  path: string;
  blob: Blob;
}
