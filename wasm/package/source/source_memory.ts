import { readFailure } from "../base/errors.js";
import type { Entry } from "./entry.js";
import type { HostFile } from "./host_file.js";

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
    into.set(this.#view(offset, into.length));
  }

  blob(offset: number, size: number): Blob {
    this.#origin ??= new Blob([this.#view(0, this.data.length)]);
    return this.#origin.slice(offset, offset + size);
  }

  async bytes(offset: number, size: number): Promise<Uint8Array> {
    return this.#view(offset, size).slice();
  }

  entry(): Entry {
    return { name: this.name, data: this.blob(0, this.data.length) };
  }

  #view(offset: number, size: number): Uint8Array<ArrayBuffer> {
    try {
      return new Uint8Array(this.data.buffer as ArrayBuffer, this.data.byteOffset + offset, size);
    } catch (error) {
      const message = "its bytes in memory were transferred or cut since it was opened";
      throw readFailure(this.name, error, message, "leave a model's bytes as they are until it is closed");
    }
  }

  retain(): void {}
  release(): void {}
}
