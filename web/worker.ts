// The page's worker: the package's own, with the wasm inside. The page sends it the definitions of ops, as text.
import text from "cryograph-core-text";
import { blobFiles, CoreLoader, gather, unpack, WorkerHost } from "../wasm/package/entries/page_worker.js";
import type { Envelope, Host, Input } from "../wasm/package/entries/page_worker.js";

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
