import { closeSync, fstatSync, openSync, readSync, statSync, type BigIntStats } from "node:fs";
import { cannotRead, failure } from "../base/errors.js";
import type { Entry } from "./entry.js";
import type { HostFile } from "./host_file.js";

/** A file on disk: opened at the first read, in no way locked, and the same file whenever it is opened again. */
export class PathFile implements HostFile {
  #descriptor: number | null = null;
  #users = 0;

  /** `stamp`: of the file when another thread first saw it, if one did. */
  constructor(
    readonly name: string,
    readonly path: string,
    private stamp: string | null = null,
  ) {}

  size(): number {
    const descriptor = this.#descriptor;
    const status = this.#try(() =>
      descriptor === null ? statSync(this.path, { bigint: true }) : fstatSync(descriptor, { bigint: true }),
    );
    this.#check(status);
    return Number(status.size);
  }

  read(offset: number, into: Uint8Array): void {
    const descriptor = this.#open();
    for (let done = 0; done < into.length;) {
      const count = this.#try(() => readSync(descriptor, into, done, into.length - done, offset + done));
      if (count === 0) throw failure("truncated", `${this.path} ended at ${offset + done}`, "give the whole file");
      done += count;
    }
  }

  blob(offset: number, size: number): Blob {
    this.retain();
    try {
      return new Blob([this.#copy(offset, size)]);
    } finally {
      this.release();
    }
  }

  async bytes(offset: number, size: number, room = new Uint8Array(size)): Promise<Uint8Array> {
    const into = room.subarray(0, size);
    this.read(offset, into);
    return into;
  }

  entry(): Entry {
    return { name: this.name, data: { path: this.path, stamp: this.stamp } };
  }

  retain(): void {
    this.#users++;
  }

  release(): void {
    if (--this.#users > 0 || this.#descriptor === null) return;
    closeQuietly(this.#descriptor);
    this.#descriptor = null;
  }

  checkUnchanged(): void {
    const descriptor = this.#descriptor;
    if (descriptor !== null) this.#check(this.#try(() => fstatSync(descriptor, { bigint: true })));
  }

  #try<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      return cannotRead(this.path)(error);
    }
  }

  #copy(offset: number, size: number): Uint8Array<ArrayBuffer> {
    const into = new Uint8Array(size);
    this.read(offset, into);
    return into;
  }

  #open(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    const descriptor = this.#try(() => openSync(this.path, "r"));
    try {
      this.#check(this.#try(() => fstatSync(descriptor, { bigint: true })));
    } catch (error) {
      closeQuietly(descriptor);
      throw error;
    }
    return (this.#descriptor = descriptor);
  }

  // A slice refers to the file as it was: another file with the same name must not supply its bytes.
  #check({ dev, ino, size, mtimeNs }: BigIntStats): void {
    const stamp = [dev, ino, size, mtimeNs].join(" ");
    this.stamp ??= stamp;
    if (stamp === this.stamp) return;
    throw failure(
      "source-changed",
      `${this.path} changed since it was opened`,
      "open the model again, when nothing writes to it",
    );
  }
}

/** Closes a descriptor that was only read from: nothing is lost when the system reports an error. */
export function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // It is closed all the same.
  }
}
