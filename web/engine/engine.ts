// `cryograph/worker`, with a worker of the page's own (spawn.ts).
import {
  BlobFile,
  CryographError,
  gather,
  MemoryFile,
  packageOverWorker,
  WorkerLane,
} from "../../wasm/package/entries/page.js";
import type { Diagnostic, Input, OpenOptions } from "../../wasm/package/entries/page.js";
import { readableEntries } from "./readable_files.js";
import { spawn } from "./spawn.js";

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

/** Starts the worker, which makes the core ready, so that the first model need not wait for it. */
export const startWorker = () => lane.start();
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
