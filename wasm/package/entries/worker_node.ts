// `cryograph/worker` in Node.
import type { Package } from "../api/calls.js";
import { Worker } from "node:worker_threads";
import { nodeHost } from "../host/host_node.js";
import { BlobFile } from "../source/source_blob.js";
import { MemoryFile } from "../source/source_memory.js";
import { PathFile } from "../source/source_node.js";
import { Model } from "../worker/remote_model.js";
import { packageOverWorker } from "../worker/worker_client.js";
import { WorkerLane } from "../worker/worker_lane.js";
import { type Entry, isBlob } from "../source/gather.js";
import type { Port } from "../worker/worker_protocol.js";

function spawn(): Port {
  const worker = new Worker(new URL("./worker_host_node.js", import.meta.url));
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    listen(message, lost) {
      worker.on("message", message).on("error", lost).on("messageerror", lost);
    },
    terminate: () => void worker.terminate(),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
  };
}

function file({ name, data }: Entry) {
  if (isBlob(data)) return new BlobFile(name, data);
  return ArrayBuffer.isView(data) ? new MemoryFile(name, data) : new PathFile(name, data.path, data.stamp);
}

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOverWorker({
  lane: new WorkerLane(spawn),
  saver: nodeHost.saver,
  gather: nodeHost.gather,
  file,
});
