// `cryograph/worker` in a page.
import type { Package } from "../model/calls.js";
import { isBlob } from "../source/gather.js";
import { gatherWeb } from "../host/host_web.js";
import { MemoryFile } from "../source/source_memory.js";
import { UrlFile } from "../source/source_url.js";
import { BlobFile } from "../source/source_blob.js";
import { releasesBeside } from "../core/releases_beside.js";
import { Model } from "../worker/remote_model.js";
import { packageOverWorker } from "../worker/worker_client.js";
import { WorkerPool } from "../worker/worker_pool.js";
import { portTo } from "../worker/worker_port.js";
import type { InitOptions } from "../types/types.js";

function spawn({ worker, workerUrl }: InitOptions) {
  if (worker) return portTo(worker() as Worker, "the function that init() has");
  if (workerUrl !== undefined) return spawnFrom(String(new URL(workerUrl, location.href)));
  // Bundlers recognize this form.
  const own = () => new Worker(new URL("./worker_host.js", import.meta.url), { type: "module" });
  try {
    return portTo(own(), nextTo("worker_host.js"));
  } catch {
    return spawnFrom(nextTo("worker_host.js"));
  }
}

// A page may not start a worker from another origin, such as a CDN, but one of its own that imports the script.
function spawnFrom(address: string) {
  const isOwn = new URL(address).origin === location.origin;
  const script = isOwn
    ? address
    : URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
  return portTo(new Worker(script, { type: "module" }), address);
}

// Not a URL of the name: bundlers would look for it once more.
function nextTo(name: string): string {
  return import.meta.url.replace(/[^/]*$/, name);
}

const pool = new WorkerPool(spawn);

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOverWorker({
  init: (options) => pool.init(options),
  next: () => pool.next(),
  releases: releasesBeside,
  saver: null,
  gather: gatherWeb,
  file({ name, data }) {
    if ("url" in data) return new UrlFile(name, data);
    return isBlob(data) ? new BlobFile(name, data) : new MemoryFile(name, data as Uint8Array);
  },
});
