// The parts that the page's worker is made of. It is not an entry point of the npm package.
export { CoreLoader } from "../core/core.js";
export { unpackedReleases } from "../core/releases.js";
export type { Host } from "../host/host.js";
export { unpack } from "../core/unpack.js";
export { gather } from "../source/gather.js";
export { blobFiles } from "../source/source_blob.js";
export { type Plan, WorkerHost } from "../worker/worker_host.js";
export type { Envelope } from "../worker/worker_protocol.js";
export type { InspectReport, Input } from "../types/types.js";
