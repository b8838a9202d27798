// The parts that the page's own `cryograph/worker` is made of, where the page runs. It is not an entry point of the npm
// package: the page makes its workers of texts that it carries.
export { CryographError, failure } from "../api/errors.js";
export { numbersOf } from "../api/numbers.js";
export { filled, inWords, type Worded } from "../api/words.js";
export { type Entry, gather } from "../source/gather.js";
export { BlobFile, refuseLarge } from "../source/source_blob.js";
export { MemoryFile } from "../source/source_memory.js";
export { Model, plain, type PlannedCall } from "../worker/remote_model.js";
export { packageOverWorker } from "../worker/worker_client.js";
export { WorkerLane } from "../worker/worker_lane.js";
export { portTo } from "../worker/worker_port.js";
export type { Port } from "../worker/worker_protocol.js";
export type { NodeTable } from "../api/node_table.js";
export type { OutputFile } from "../api/output.js";
export type { Picture } from "../api/picture.js";
export type * from "../api/types.js";
