// `cryograph/worker` in a page.
import type { Package } from "../api/calls.js";
import { isBlob } from "../source/gather.js";
import { gatherWeb } from "../host/host_web.js";
import { MemoryFile } from "../source/source_memory.js";
import { BlobFile } from "../source/source_blob.js";
import { Model } from "../worker/remote_model.js";
import { packageOverWorker } from "../worker/worker_client.js";
import { WorkerLane } from "../worker/worker_lane.js";
import { portTo } from "../worker/worker_port.js";

// Bundlers recognize this form.
const spawn = () => portTo(new Worker(new URL("./worker_host.js", import.meta.url), { type: "module" }));

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOverWorker({
  lane: new WorkerLane(spawn),
  saver: null,
  gather: gatherWeb,
  file: ({ name, data }) => (isBlob(data) ? new BlobFile(name, data) : new MemoryFile(name, data as Uint8Array)),
});
