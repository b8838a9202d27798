// `cryograph/worker` in a page.
import { gatherWeb } from "./host_web.js";
import { MemoryFile } from "./source_memory.js";
import { BlobFile } from "./source_blob.js";
import { packageOverWorker } from "./worker_client.js";
import { WorkerLane } from "./worker_lane.js";
import type { Port } from "./worker_protocol.js";

function spawn(): Port {
  const worker = new Worker(new URL("./worker_host.js", import.meta.url), { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    listen(message, lost) {
      worker.onmessage = ({ data }) => message(data);
      worker.onerror = worker.onmessageerror = lost;
    },
    terminate: () => worker.terminate(),
    hold() {},
  };
}

export * from "./index.js";
export { Model } from "./remote_model.js";
export const { init, open, explain } = packageOverWorker({
  lane: new WorkerLane(spawn),
  saver: null,
  gather: gatherWeb,
  file: ({ name, data }) =>
    data instanceof Blob ? new BlobFile(name, data) : new MemoryFile(name, data as Uint8Array),
});
