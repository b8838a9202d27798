import { checkedOptions, checkedText } from "./argument.js";
import { failure } from "./errors.js";
import type { PieceChecks } from "./checks.js";
import { type FilePart, type Part, Watch } from "../source/source.js";
import type { CallOptions } from "./types.js";

/** How a host puts a file on its disk. */
export type Saver = (file: OutputFile, path: string, options: SaveOptions) => Promise<string>;

export interface SaveOptions extends CallOptions {
  /** false: refuse to replace an existing file. */
  force?: boolean;
}

/** A step of reading: large enough for a disk, small enough to hold two. */
const kStep = 4 * 1024 * 1024;

/** A file of a written model: a list of fresh bytes and of pieces of the inputs, read only on request. */
export class OutputFile {
  readonly size: number;
  #saver: Saver | null;

  /** @internal */
  constructor(
    /** Relative to the folder of `out`, with '/'. */
    readonly path: string,
    /** @internal */
    readonly parts: readonly Part[],
    saver: Saver | null,
  ) {
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
    const pieces = this.parts.map((part) =>
      ArrayBuffer.isView(part) ? (part as Uint8Array<ArrayBuffer>) : part.file.blob(part.offset, part.size),
    );
    return new Blob(pieces, { type: "application/octet-stream" });
  }

  /** @internal Reads the bytes that have a checksum, and compares. */
  verify(options: CallOptions): void {
    for (const [checks, numbers] of checksOf(this.parts)) checks.verify(options, [...numbers]);
  }

  /** Returns the bytes in chunks of a few megabytes. Fails at the end if a stored checksum does not match. */
  stream(options: CallOptions = {}): ReadableStream<Uint8Array> {
    const steps = readParts(this.parts, checkedOptions("stream", options));
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
    return joinParts(this.parts, checkedOptions("bytes", options));
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

/** The checksums of parts: which numbers of which answers. */
export function checksOf(parts: readonly Part[]): Map<PieceChecks, Set<number>> {
  const all = new Map<PieceChecks, Set<number>>();
  for (const part of parts) {
    if (ArrayBuffer.isView(part) || !part.check) continue;
    const numbers = all.get(part.check.checks) ?? new Set();
    all.set(part.check.checks, numbers.add(part.check.number));
  }
  return all;
}

/** Yields the bytes of parts, in order, in chunks. `rooms`: equal-sized buffers that are reused round-robin, because
 * allocating fresh memory for each chunk costs more than reading it. With two, a chunk is valid until the second next
 * one is requested. `finish`: compares checksums at the end; otherwise the caller does. */
export async function* readParts(
  parts: readonly Part[],
  options: CallOptions,
  rooms: readonly Uint8Array[] = [],
  finish = true,
): AsyncGenerator<Uint8Array, void, undefined> {
  const watch = new Watch(options);
  const step = rooms[0]?.length ?? kStep;
  let steps = 0;
  const nextRoom = () => rooms[steps++ % rooms.length];
  const files = new Set(parts.flatMap((part) => (ArrayBuffer.isView(part) ? [] : [part.file])));
  for (const file of files) file.retain();
  try {
    for (const part of parts) yield* readPart(part, watch, step, nextRoom);
    if (finish) for (const checks of checksOf(parts).keys()) checks.finish(options);
  } finally {
    for (const file of files) file.release();
  }
}

async function* readPart(
  part: Part,
  watch: Watch,
  step: number,
  nextRoom: () => Uint8Array | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const size = partSize(part);
  for (let at = 0; at < size; at += step) {
    watch.check();
    const count = Math.min(step, size - at);
    yield ArrayBuffer.isView(part) ? part.subarray(at, at + count) : await readChecked(part, at, count, nextRoom());
    watch.count(count);
  }
}

async function readChecked(
  { file, offset, check }: FilePart,
  at: number,
  count: number,
  room?: Uint8Array,
): Promise<Uint8Array> {
  const bytes = await file.bytes(offset + at, count, room);
  check?.checks.take(check.number, offset + at - check.origin, bytes);
  return bytes;
}

export async function joinParts(
  parts: readonly Part[],
  options: CallOptions,
  finish = true,
): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + partSize(part), 0));
  let at = 0;
  for await (const step of readParts(parts, options, [new Uint8Array(Math.min(kStep, all.length))], finish)) {
    all.set(step, at);
    at += step.length;
  }
  return all;
}

export function partSize(part: Part): number {
  return ArrayBuffer.isView(part) ? part.length : part.size;
}
