// The page's worker: the package's own, with the first part of core.wasm inside. The page sends it the definitions of ops, and
// the rest of the core.
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
import type { Sent } from "./engine/sent.js";
import type { Pass } from "./state/state.js";
import { outputNames } from "./tools/output_names.js";

// Writes what a pass made, after inspect: in the same answer.
function writeOutputs(about: InspectReport, pass: Pass, name: string) {
  return outputNames(pass, about, name).map((out) => ({ method: "write", args: [], options: { out } }));
}

class Later {
  resolve!: (text: string) => void;
  reject!: (reason: Error) => void;
  readonly promise = new Promise<string>((resolve, reject) => Object.assign(this, { resolve, reject }));
}
const [ops, rest] = [new Later(), new Later()];
rest.promise.catch(() => {}); // the calls that need it report it

const pageHost: Host = {
  loader: new CoreLoader(
    async () => unpack(text),
    () => ops.promise.then(unpack),
    (sent) => unpackedReleases(sent!, unpack),
    () => rest.promise.then(unpack),
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
self.onmessage = ({ data }: MessageEvent<Envelope | Sent>) => {
  if ("request" in data) return host.receive(data);
  if ("rest" in data) return rest.resolve(data.rest);
  if ("withoutRest" in data) return rest.reject(new Error(data.withoutRest));
  ops.resolve(data.ops);
  getReady().catch(() => {}); // a call reports it
};

// Compiles the core, both its parts, before a call needs them.
async function getReady(): Promise<void> {
  const core = await pageHost.loader.get();
  await core.needRest();
}
