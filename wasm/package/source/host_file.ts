import type { Entry } from "./entry.js";

/** One file of a host. Errors are thrown; Sources keeps them out of wasm. */
export interface HostFile {
  readonly name: string;
  size(): number;
  /** Fills `into` whole from `offset` on, or throws. */
  read(offset: number, into: Uint8Array): void;
  /** The bytes as a Blob: a browser names a piece of the File and reads nothing. */
  blob(offset: number, size: number): Blob;
  /**
   * Returns the bytes, for a consumer that reads piece by piece. `room`: a buffer of at least that size that they may
   * be put in.
   */
  bytes(offset: number, size: number, room?: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** The value from which another thread opens the same file. */
  entry(): Entry;
  /** Throws "source-changed" when the file was written to since it was first read. */
  checkUnchanged?(): void;
  /** Adds a user. When the last one leaves, the open file is closed; a later read opens it again. */
  retain(): void;
  release(): void;
}
