// The parts of the package that the page loads after its first load: its own `cryograph/verify`, there and in the worker that
// runs TensorFlow.js. They are apart from page.ts because a bundler keeps what a module exports in one chunk. This is not an
// entry point of the npm package.
export { failure } from "../base/errors.js";
export { OutputFile } from "../model/output.js";
export type { CallOptions } from "../types/types.js";
export { unpack } from "../core/unpack.js";
export { BlobFile } from "../source/source_blob.js";
export { oneArray } from "../verify/array.js";
export type { Verifiable } from "../verify/frozen_pair.js";
export { type Compared, runPair, type RunnablePair } from "../verify/run_pair.js";
export type { ModelFile } from "../verify/runner.js";
export type { TensorFlowJs } from "../verify/tensorflow_js.js";
export type * from "../verify/types.js";
export { verifyBy } from "../verify/verify.js";
export { toWire } from "../worker/wire_error.js";
export type { Answer, Envelope, Init } from "../worker/worker_protocol.js";
