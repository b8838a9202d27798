// The page's worker: the package's own, with the wasm inside. The page sends it the definitions of ops, as text.
import text from "cryograph-core-text";
import { CoreLoader } from "../wasm/package/host/core.js";
import { gather } from "../wasm/package/source/gather.js";
import type { Host } from "../wasm/package/host/host.js";
import { blobFiles } from "../wasm/package/source/source_blob.js";
import type { Input } from "../wasm/package/api/types.js";
import { unpack } from "../wasm/package/host/unpack.js";
import { WorkerHost } from "../wasm/package/worker/worker_host.js";
import type { Envelope } from "../wasm/package/worker/worker_protocol.js";

let tellOps: (text: string) => void;
const ops = new Promise<string>((told) => (tellOps = told));
const pageHost: Host = {
  loader: new CoreLoader(
    async () => unpack(text),
    () => ops.then(unpack),
  ),
  saver: null,
  gather: (input: Input) => gather(input as Exclude<Input, string | URL>),
  files: blobFiles,
};
const host = new WorkerHost(pageHost, (answer, transferred) => self.postMessage(answer, { transfer: transferred }));
self.onmessage = ({ data }: MessageEvent<Envelope | string>) => {
  if (typeof data !== "string") return host.receive(data);
  tellOps(data);
  pageHost.loader.get().catch(() => {}); // opening a model reports it
};
