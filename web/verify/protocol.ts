import type { RunnablePair } from "../../wasm/src/verify/run_pair.js";
import type { VerifyOptions } from "../../wasm/src/verify/types.js";

// What the page asks of the worker that has TensorFlow.js: to run two models. Files go by reference.

export interface RunRequest {
  do: "run";
  a: readonly BlobEntry[];
  b: readonly BlobEntry[];
  outputs: RunnablePair["outputs"];
  uncovered: RunnablePair["uncovered"];
  options: VerifyOptions;
}

export interface BlobEntry {
  path: string;
  blob: Blob;
}
