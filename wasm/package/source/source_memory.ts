import type { Entry } from "./gather.js";
import type { HostFile } from "./source.js";

/** Bytes in memory. If they came from a Blob, pieces of outputs name the Blob. */
export class MemoryFile implements HostFile {
  #origin: Blob | null;

  constructor(
    readonly name: string,
    private readonly data: Uint8Array,
    origin: Blob | null = null,
  ) {
    this.#origin = origin;
  }

  size(): number {
    return this.data.length;
  }

  read(offset: number, into: Uint8Array): void {
    into.set(this.data.subarray(offset, offset + into.length));
  }

  blob(offset: number, size: number): Blob {
    this.#origin ??= new Blob([this.data as Uint8Array<ArrayBuffer>]);
    return this.#origin.slice(offset, offset + size);
  }

  async bytes(offset: number, size: number): Promise<Uint8Array> {
    return this.data.slice(offset, offset + size);
  }

  entry(): Entry {
    return { name: this.name, data: this.blob(0, this.data.length) };
  }

  retain(): void {}
  release(): void {}
}
