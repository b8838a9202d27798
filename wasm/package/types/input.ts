// Types of what open() and init() take.
import type { OpenTable } from "./options.js";

/** The bytes of a file, of any realm. Bytes are not copied, so they must not change while a model of them is open. */
export type Data = Blob | ArrayBufferView | ArrayBufferLike;

/** Options of open(). */
export interface OpenOptions extends OpenTable {
  /** Reads whole files into memory from a server that knows no range requests. Limit: 1 GiB each. */
  download?: boolean;
}

/** A file that is read into memory by open(). Limit: 1 GiB. */
export type StreamedData = Response | ReadableStream<Uint8Array>;

/** A page's FileList. */
export type Files = ArrayLike<Blob>;

/** Items that were dropped on a page: a DataTransferItemList. */
export type DroppedItems = ArrayLike<{
  readonly kind: string;
  getAsFile(): Blob | null;
  webkitGetAsEntry(): object | null;
}>;

/** A FileSystemFileHandle or FileSystemDirectoryHandle. */
export interface PickedHandle {
  readonly kind: "file" | "directory";
  readonly name: string;
  isSameEntry(other: never): Promise<boolean>;
}

/**
 * Anything a model can be opened from. Several files are a list, or a record or Map by their names with folders.
 *
 * A string is a path, which needs Node as a `file:` URL does, or an http(s) address: of a file, of a checkpoint's file or
 * prefix, or of a SavedModel's or TensorFlow.js model's file or folder (with '/' at its end). What belongs to the model is looked
 * for next to it. Of a server's files only parts are read, by range requests; at most 32 MB of each are kept, and what is written
 * is read again. In this thread inspect(), list(), nodes() and node() fail with "bytes-not-here" in the rare case that they need
 * bytes that are not kept; in a worker all calls wait. blob() of what is written of them always does.
 */
export type Input =
  | string
  | URL
  | Data
  | StreamedData
  | readonly (Data | StreamedData | URL)[]
  | Readonly<Record<string, Data | StreamedData | URL>>
  | ReadonlyMap<string, Data | StreamedData | URL>
  | Files
  | DroppedItems
  | PickedHandle;

export interface InitOptions {
  /** The address of core.wasm; by default next to the module. */
  wasmUrl?: string | URL;
  /** Its bytes. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Or the compiled WebAssembly.Module, where compiling is not allowed at run time. */
  wasmModule?: object;
  /** `cryograph/worker`: how many workers share the models, each of which is in one. Default: 1. Limit: 64. */
  workers?: number;
  /** `cryograph/worker`: the address of worker_host.js, which loads ops.js next to it. Default: next to the module. */
  workerUrl?: string | URL;
  /** `cryograph/worker`: makes a worker whose script imports "cryograph/worker_host". It is called for each one that is needed. */
  worker?: () => WorkerLike;
}

/** A page's Worker or one of node:worker_threads. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
}
