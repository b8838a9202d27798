import { failure } from "../base/errors.js";
import type { Entry, Remote } from "./entry.js";
import { missingBytes } from "./missing.js";
import { readRange } from "./range.js";
import type { HostFile } from "./host_file.js";

/** The unit of reading: what a server sends at about the cost of one byte. */
export const kBlock = 64 * 1024;
/** Blocks of a file that are kept, those that were fetched last. */
const kMaxBlocks = 512;
/** Blocks of one request, when a file is read in order. */
const kMaxAhead = 64;

/** A file of a server, read by ranges. */
export class UrlFile implements HostFile {
  // Blocks by their places in the file, the oldest first.
  #blocks = new Map<number, Uint8Array>();
  #next = 0;
  #ahead = 1;

  constructor(
    readonly name: string,
    private readonly remote: Remote,
  ) {
    this.#keep(0, remote.first);
  }

  size(): number {
    return this.remote.size;
  }

  read(offset: number, into: Uint8Array): void {
    const from = this.#firstMissing(offset, into.length);
    if (from !== null) {
      const fetch = (signal?: AbortSignal) => this.#load(offset, into.length, signal);
      throw missingBytes(this.name, { key: `${this.remote.url} ${from}`, fetch });
    }
    this.#copy(offset, into);
  }

  blob(): Blob {
    throw failure(
      "bytes-not-here",
      `the bytes of ${this.remote.url} would have to be fetched first`,
      "use stream() or bytes(), which wait",
    );
  }

  async bytes(offset: number, size: number, room = new Uint8Array(size), signal?: AbortSignal): Promise<Uint8Array> {
    await this.#load(offset, size, signal);
    const into = room.subarray(0, size);
    this.#copy(offset, into);
    return into;
  }

  entry(): Entry {
    return { name: this.name, data: { ...this.remote } };
  }

  retain(): void {}
  release(): void {}

  // Returns the first block of a range that is not kept; null if all are.
  #firstMissing(offset: number, size: number): number | null {
    for (let block = Math.floor(offset / kBlock); block * kBlock < offset + size; block++)
      if (!this.#blocks.has(block)) return block;
    return null;
  }

  // Fetches what is not kept of a range. Requests grow while the file is read in order.
  async #load(offset: number, size: number, signal: AbortSignal | undefined): Promise<void> {
    const end = Math.ceil((offset + size) / kBlock);
    for (let block = this.#firstMissing(offset, size); block !== null; block = this.#firstMissing(offset, size)) {
      this.#ahead = block === this.#next ? Math.min(2 * this.#ahead, kMaxAhead) : 1;
      const to = Math.min(Math.max(end, block + this.#ahead), block + kMaxAhead, Math.ceil(this.remote.size / kBlock));
      const bytes = await readRange(this.remote, block * kBlock, Math.min(to * kBlock, this.remote.size), signal);
      this.#keep(block, bytes);
      this.#next = to;
      this.#forget(Math.max(kMaxBlocks, end - Math.floor(offset / kBlock)));
    }
  }

  // The last block of a file may be short.
  #keep(block: number, bytes: Uint8Array): void {
    const isEnd = block * kBlock + bytes.length === this.remote.size;
    for (let at = 0; at + kBlock <= bytes.length || (isEnd && at < bytes.length); at += kBlock)
      this.#blocks.set(block++, bytes.subarray(at, at + kBlock));
  }

  #forget(most: number): void {
    for (const block of this.#blocks.keys()) {
      if (this.#blocks.size <= most) return;
      this.#blocks.delete(block);
    }
  }

  #copy(offset: number, into: Uint8Array): void {
    for (let done = 0; done < into.length;) {
      const at = offset + done;
      const block = this.#blocks.get(Math.floor(at / kBlock))!;
      const piece = block.subarray(at % kBlock, (at % kBlock) + into.length - done);
      into.set(piece, done);
      done += piece.length;
    }
  }
}
