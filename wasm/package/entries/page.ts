// The parts that the page's own `cryograph/worker` is made of, where the page runs. It is not an entry point of the npm
// package: the page makes its workers of texts that it carries.
export { discard } from "../base/discard.js";
export { CryographError, failure } from "../base/errors.js";
export { numbersOf } from "../model/numbers.js";
export { filled, inWords, type Worded } from "../base/words.js";
export { gather } from "../source/gather.js";
export type { Entry } from "../source/entry.js";
export { BlobFile, refuseLarge } from "../source/source_blob.js";
export { MemoryFile } from "../source/source_memory.js";
export { Model, plain, type PlannedCall } from "../worker/remote_model.js";
export { packageOverWorker } from "../worker/worker_client.js";
export { kEndingCodes, WorkerLane } from "../worker/worker_lane.js";
export { portTo } from "../worker/worker_port.js";
export type { Answer, Port } from "../worker/worker_protocol.js";
export type { NodeTable } from "../model/node_table.js";
export type { OutputFile } from "../model/output.js";
export type { Picture } from "../model/picture.js";
export type * from "../model/calls.js";
export type * from "../types/types.js";
