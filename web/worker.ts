// The page's worker: the package's own, with the wasm inside. The page sends it the definitions of ops, as text.
import text from "cryograph-core-text";
import {
  blobFiles,
  CoreLoader,
  gather,
  unpack,
  unpackedReleases,
  WorkerHost,
} from "../wasm/package/entries/page_worker.js";
import type { Envelope, Host, InspectReport, Input } from "../wasm/package/entries/page_worker.js";
import type { Pass } from "./state/state.js";
import { outputNames } from "./tools/output_names.js";

// Writes what a pass made, after inspect: in the same answer.
function writeOutputs(about: InspectReport, pass: Pass, name: string) {
  return outputNames(pass, about, name).map((out) => ({ method: "write", args: [], options: { out } }));
}

let resolveOps: (text: string) => void;
const ops = new Promise<string>((resolve) => (resolveOps = resolve));
const pageHost: Host = {
  loader: new CoreLoader(
    async () => unpack(text),
    () => ops.then(unpack),
    (sent) => unpackedReleases(sent!, unpack),
  ),
  saver: null,
  gather: (input: Input) => gather(input as Exclude<Input, string | URL>),
  files: blobFiles,
};
const plans = { writeOutputs };
const host = new WorkerHost(
  pageHost,
  (answer, transferred) => self.postMessage(answer, { transfer: transferred }),
  plans,
);
self.onmessage = ({ data }: MessageEvent<Envelope | string>) => {
  if (typeof data !== "string") return host.receive(data);
  resolveOps(data);
  pageHost.loader.get().catch(() => {}); // opening a model reports it
};
