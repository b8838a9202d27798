// `cryograph/worker` in Node.
import type { Package } from "../model/calls.js";
import { Worker } from "node:worker_threads";
import { nodeHost } from "../host/host_node.js";
import { UrlFile } from "../source/source_url.js";
import { BlobFile } from "../source/source_blob.js";
import { MemoryFile } from "../source/source_memory.js";
import { PathFile } from "../source/source_node.js";
import { releasesBeside } from "../core/releases_beside.js";
import { Model } from "../worker/remote_model.js";
import { packageOverWorker } from "../worker/worker_client.js";
import { WorkerPool } from "../worker/worker_pool.js";
import { isBlob } from "../source/gather.js";
import type { Entry } from "../source/entry.js";
import type { InitOptions } from "../types/types.js";
import type { Port } from "../worker/worker_protocol.js";

function spawn({ worker: make, workerUrl }: InitOptions): Port {
  const address = new URL(workerUrl ?? "./worker_host_node.js", import.meta.url);
  const worker = make ? (make() as Worker) : new Worker(address);
  worker.unref();
  return {
    address: make ? "the function that init() has" : address.href,
    post: (message) => worker.postMessage(message),
    listen(message, lost) {
      worker.on("message", message).on("error", lost).on("messageerror", lost);
    },
    terminate: () => void worker.terminate(),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
  };
}

function file({ name, data }: Entry) {
  if ("url" in data) return new UrlFile(name, data);
  if (isBlob(data)) return new BlobFile(name, data);
  return ArrayBuffer.isView(data) ? new MemoryFile(name, data) : new PathFile(name, data.path, data.stamp);
}

const pool = new WorkerPool(spawn);

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOverWorker({
  init: (options) => pool.init(options),
  next: () => pool.next(),
  releases: releasesBeside,
  saver: nodeHost.saver,
  gather: nodeHost.gather,
  file,
});
