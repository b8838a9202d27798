// `cryograph/worker`, with one difference: the worker is made of a text this page carries. A worker made that way is
// bound by the page's own content security policy (one with an address is bound by its server's headers alone), so
// `connect-src 'none'` holds for everything that ever touches a model.
import script from "cryograph-worker-text";
import { failure } from "../../wasm/package/api/errors.js";
import { gather } from "../../wasm/package/source/gather.js";
import { BlobFile } from "../../wasm/package/source/source_blob.js";
import { MemoryFile } from "../../wasm/package/source/source_memory.js";
import type { Input, OpenOptions } from "../../wasm/package/api/types.js";
import { packageOverWorker } from "../../wasm/package/worker/worker_client.js";
import { WorkerLane } from "../../wasm/package/worker/worker_lane.js";
import { portTo } from "../../wasm/package/worker/worker_port.js";
import type { Port } from "../../wasm/package/worker/worker_protocol.js";
import { withinReach } from "../open/reach.js";

const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

// The definitions of ops are a file of the page's, so that it is there sooner.
function spawn(): Port {
  const worker = new Worker(address);
  const port = portTo(worker);
  return {
    ...port,
    listen(message, lost) {
      port.listen(message, lost);
      import("cryograph-packed-ops-text").then(
        ({ default: ops }) => worker.postMessage(ops),
        (error: unknown) => lost(withoutOps(error)),
      );
    },
  };
}

function withoutOps(error: unknown): Error {
  return failure(
    "core-not-loaded",
    "The definitions of TensorFlow's ops, which are a file of this page, could not be loaded",
    "try again where the page can be reached",
    error,
  );
}

export type Files = Record<string, Blob | Uint8Array>;

/** The files of anything dropped or chosen, by name with its folder: they outlive the event that brought them. */
export async function collect(input: Input): Promise<Files> {
  const { entries, folder = "" } = await gather(input as Exclude<Input, string | URL>);
  return Object.fromEntries(
    (await withinReach(entries)).map(({ name, data }) => [folder + name, data as Blob | Uint8Array]),
  );
}

const lane = new WorkerLane(spawn);

/** Makes the core ready, so that the first model need not wait for it. */
export const warmUp = () => lane.start();
export const { open, explain } = packageOverWorker({
  lane,
  saver: null,
  // `path`: one of several models.
  async gather(input, { path }: OpenOptions & { path?: string }) {
    const gathered = await gather(input as Exclude<Input, string | URL>);
    return path === undefined ? gathered : { ...gathered, path };
  },
  file: ({ name, data }) =>
    data instanceof Blob ? new BlobFile(name, data) : new MemoryFile(name, data as Uint8Array),
});
export { numbersOf } from "../../wasm/package/api/numbers.js";
export { CryographError } from "../../wasm/package/api/errors.js";
export type { NodeTable } from "../../wasm/package/api/node_table.js";
export type { OutputFile } from "../../wasm/package/api/output.js";
export type { Picture } from "../../wasm/package/api/picture.js";
export type { Model } from "../../wasm/package/worker/remote_model.js";
export type * from "../../wasm/package/api/types.js";
