import { discard } from "../base/discard.js";
import { failure } from "../base/errors.js";
import { isBlob } from "./gather.js";
import type { Entry } from "./entry.js";
import type { HostFile } from "./host_file.js";
import { MemoryFile } from "./source_memory.js";

// In the lib of workers, which does not go together with the page's.
declare const FileReaderSync: { new (): { readAsArrayBuffer(blob: Blob): ArrayBuffer } } | undefined;

// Each read of a Blob takes a browser long, however small it is (Chromium: 4 kB 2 ms, 512 kB 4 ms, 4 MB 10 ms).
/** So much of the beginning is kept: what kind of file it is, is looked up there several times. */
const kHead = 16 * 1024;
/** A read of at least so many bytes that goes on where the last one ended reads ahead. */
const kLarge = 32 * 1024;
/** How much is read then; when such reads go on, twice as much each time, up to the most. */
const kLeastAhead = 512 * 1024;
const kMaxAhead = 4 * 1024 * 1024;

/** A File or Blob, not copied. The core can read it only in a worker: elsewhere reads are asynchronous. */
export class BlobFile implements HostFile {
  #head: Uint8Array | null = null;
  #end = -1; // of the last read
  #ahead = 0; // how much was read ahead last
  // Bytes that were read ahead, until all of them are used.
  #start = 0;
  #bytes = new Uint8Array(0);

  constructor(
    readonly name: string,
    private readonly origin: Blob,
  ) {}

  size(): number {
    return this.origin.size;
  }

  read(offset: number, into: Uint8Array): void {
    const end = offset + into.length;
    if (end <= Math.min(kHead, this.size())) into.set((this.#head ??= this.#readAt(0, kHead)).subarray(offset, end));
    else this.#readAhead(offset, into);
    this.#end = end;
  }

  #readAhead(offset: number, into: Uint8Array): void {
    const end = offset + into.length;
    const goesOn = offset === this.#end && into.length >= kLarge;
    if (offset < this.#start || end > this.#start + this.#bytes.length) {
      this.#forget();
      this.#ahead = goesOn ? Math.min(Math.max(2 * this.#ahead, kLeastAhead), kMaxAhead) : 0;
      this.#bytes = this.#readAt(offset, Math.max(into.length, this.#ahead));
      this.#start = offset;
    }
    into.set(this.#bytes.subarray(offset - this.#start, end - this.#start));
    if (end === this.#start + this.#bytes.length) this.#forget();
  }

  #readAt(offset: number, size: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(new FileReaderSync!().readAsArrayBuffer(this.blob(offset, size)));
    if (bytes.length === Math.min(size, this.size() - offset)) return bytes;
    throw failure("truncated", `${this.name} ended early`, "give the file again");
  }

  #forget(): void {
    if (this.#bytes.length > 0) discard(this.#bytes.buffer);
    this.#bytes = new Uint8Array(0);
  }

  blob(offset: number, size: number): Blob {
    return this.origin.slice(offset, offset + size);
  }

  async bytes(offset: number, size: number, room?: Uint8Array): Promise<Uint8Array> {
    const buffer = await this.blob(offset, size).arrayBuffer();
    if (!room) return new Uint8Array(buffer);
    room.set(new Uint8Array(buffer));
    discard(buffer);
    return room.subarray(0, size);
  }

  entry(): Entry {
    return { name: this.name, data: this.origin };
  }

  retain(): void {}

  release(): void {
    this.#head = null;
    this.#forget();
  }
}

/** Outside of a worker, Blobs are read into memory first; together at most this many bytes. */
export const kMaxInMemory = 256 * 1024 * 1024;

/** The files of gathered entries, in a worker in place, elsewhere from memory. */
export async function blobFiles(entries: readonly Entry[]): Promise<HostFile[]> {
  const inPlace = typeof FileReaderSync !== "undefined";
  if (!inPlace) {
    refuseLarge(
      entries,
      "outside of a worker a Blob cannot be read in place",
      'import { open } from "cryograph/worker", or in Node pass a path',
    );
  }
  const files: HostFile[] = [];
  for (const { name, data } of entries) {
    if (ArrayBuffer.isView(data)) files.push(new MemoryFile(name, data));
    else if (!isBlob(data)) throw failure("no-paths-here", "A path needs Node", "pass a File or bytes");
    else if (inPlace) files.push(new BlobFile(name, data));
    else files.push(new MemoryFile(name, await bytesOf(data), data));
  }
  return files;
}

/** Returns the bytes of a Blob of any platform. */
export async function bytesOf(blob: Blob): Promise<Uint8Array> {
  if (typeof blob.arrayBuffer === "function") return new Uint8Array(await blob.arrayBuffer());
  const reader = new FileReader(); // jsdom's Blobs know no other
  return new Promise((done, failed) => {
    reader.onload = () => done(new Uint8Array(reader.result as ArrayBuffer));
    reader.onerror = () => failed(reader.error!);
    reader.readAsArrayBuffer(blob);
  });
}

/** Fails if Blobs are too large, together, to be read into memory. */
export function refuseLarge(entries: readonly Entry[], because: string, fix: string): void {
  let total = 0;
  for (const { data } of entries) if (isBlob(data)) total += data.size;
  if (total <= kMaxInMemory) return;
  throw failure("too-large-here", `${total} bytes of files would have to be read into memory: ${because}`, fix);
}
