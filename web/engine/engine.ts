// `cryograph/worker`, with one difference: the worker is made of a text this page carries. A worker made that way is
// bound by the page's own content security policy (one with an address is bound by its server's headers alone), so
// `connect-src 'none'` holds for everything that ever touches a model.
import script from "cryograph-worker-text";
import {
  BlobFile,
  CryographError,
  failure,
  gather,
  kEndingCodes,
  MemoryFile,
  packageOverWorker,
  portTo,
  WorkerLane,
} from "../../wasm/package/entries/page.js";
import type { Answer, Diagnostic, Input, OpenOptions, Port } from "../../wasm/package/entries/page.js";
import { readableEntries } from "./readable_files.js";

const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

// The definitions of ops are a file of the page's, so that it is there sooner.
function spawn(): Port {
  const worker = new Worker(address);
  const port = portTo(worker);
  return {
    ...port,
    listen(message, lost) {
      port.listen(
        (answer) => {
          message(answer);
          if (isLast(answer as Answer)) whenEnded();
        },
        (error) => {
          lost(error);
          whenEnded();
        },
      );
      import("cryograph-packed-ops-text").then(
        ({ default: ops }) => worker.postMessage(ops),
        (error: unknown) => lost(withoutOps(error)),
      );
    },
  };
}

let whenEnded = () => {};

/** Calls `told` when the worker has ended by a fault, with all models in it. Each is made again when it is used next. */
export function watchWorker(told: () => void): void {
  whenEnded = told;
}

function isLast(answer: Answer): boolean {
  return "error" in answer && (answer.error.diagnostics ?? []).some(({ code }) => kEndingCodes.includes(code));
}

function withoutOps(error: unknown): Error {
  return failure(
    "core-not-loaded",
    "The definitions of TensorFlow's ops, which are a file of this page, could not be loaded",
    "try again where the page can be reached",
    error,
  );
}

/** Returns the diagnostics of an error; of one that is no CryographError, a request to report it. */
export function diagnosticsOf(error: unknown): Diagnostic[] {
  if (error instanceof CryographError) return error.diagnostics;
  const message = error instanceof Error ? error.message : String(error);
  return [{ severity: "error", code: "page", where: {}, message, fix: "Please report this.", fixable: false }];
}

export type Files = Record<string, Blob | Uint8Array>;

/** The files of anything dropped or chosen, by name with its folder: they outlive the event that brought them. */
export async function collect(input: Input): Promise<Files> {
  const { entries, folder = "" } = await gather(input as Exclude<Input, string | URL>);
  return Object.fromEntries(
    (await readableEntries(entries)).map(({ name, data }) => [folder + name, data as Blob | Uint8Array]),
  );
}

const lane = new WorkerLane(spawn);

/** Makes the core ready, so that the first model need not wait for it. */
export const warmUp = () => lane.start();
export const { open, openAndRun, explain } = packageOverWorker({
  init: (options) => lane.init(options),
  next: () => lane,
  releases: () => import("cryograph-packed-releases"),
  saver: null,
  // `path`: one of several models.
  async gather(input, { path }: OpenOptions & { path?: string }) {
    const gathered = await gather(input as Exclude<Input, string | URL>);
    return path === undefined ? gathered : { ...gathered, path };
  },
  file: ({ name, data }) =>
    data instanceof Blob ? new BlobFile(name, data) : new MemoryFile(name, data as Uint8Array),
});
export { CryographError, discard, failure, numbersOf } from "../../wasm/package/entries/page.js";
export type * from "../../wasm/package/entries/page.js";
