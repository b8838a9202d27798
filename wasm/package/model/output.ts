import { checkedOptions, checkedText } from "../base/argument.js";
import { failure } from "../base/errors.js";
import { checksOf, joinParts, partSize, readParts } from "../source/parts.js";
import type { Part } from "../source/parts.js";
import type { CallOptions } from "../types/types.js";

/** How a host puts a file on its disk. @internal */
export type Saver = (file: OutputFile, path: string, options: SaveOptions) => Promise<string>;

export interface SaveOptions extends CallOptions {
  /** false: refuse to replace an existing file. */
  force?: boolean;
}

/** Returns the pieces of a file. @internal */
export let partsOf: (file: OutputFile) => readonly Part[];

/** A file of a written model: a list of fresh bytes and of pieces of the inputs, read only on request. */
export class OutputFile {
  /** Relative to the folder of `out`, with '/'. */
  readonly path: string;
  /** Units: bytes. */
  readonly size: number;
  #parts: readonly Part[];
  #saver: Saver | null;

  static {
    partsOf = (file) => file.#parts;
  }

  /** @internal */
  constructor(path: string, parts: readonly Part[], saver: Saver | null) {
    this.path = path;
    this.#parts = parts;
    this.size = parts.reduce((sum, part) => sum + partSize(part), 0);
    this.#saver = saver;
  }

  /** @internal In reports: the file's name and size. */
  toJSON(): { path: string; bytes: number } {
    return { path: this.path, bytes: this.size };
  }

  /** In a browser a list of File pieces, whatever the size. In Node it is read into memory. Stored checksums are compared first, which
   * reads the pieces once; with `cryograph/worker` write() has done so. */
  blob(): Blob {
    this.verify({});
    const pieces = this.#parts.map((part) =>
      ArrayBuffer.isView(part) ? (part as Uint8Array<ArrayBuffer>) : part.file.blob(part.offset, part.size),
    );
    return new Blob(pieces, { type: "application/octet-stream" });
  }

  /** @internal Reads the bytes that have a checksum, and compares. */
  verify(options: CallOptions): void {
    for (const [checks, numbers] of checksOf(this.#parts)) checks.verify(options, [...numbers]);
  }

  /** Returns the bytes in chunks of a few megabytes. Fails at the end if a stored checksum does not match. */
  stream(options: CallOptions = {}): ReadableStream<Uint8Array> {
    const steps = readParts(this.#parts, checkedOptions("stream", options));
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await steps.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          await steps.return(undefined);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** All bytes at once. */
  async bytes(options: CallOptions = {}): Promise<Uint8Array> {
    return joinParts(this.#parts, checkedOptions("bytes", options));
  }

  /** Node: writes to a temporary file in the same folder and renames it. Uses bounded memory, and is safe if the output
   * is the input. `path` may be a folder or end with '/'; without it the file's own path is used. Returns the path
   * written. */
  async save(path?: string, options: SaveOptions = {}): Promise<string> {
    checkedOptions("save", options);
    if (this.#saver) return this.#saver(this, checkedText("save", "a path", path ?? this.path), options);
    throw failure("no-disk", "A page cannot write files by itself", "offer blob() as a download, or pipe stream()");
  }
}
