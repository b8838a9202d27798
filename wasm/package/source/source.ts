import type { BindingSource, Piece } from "../host/binding.js";
import type { PieceChecks } from "../api/checks.js";
import type { Core } from "../host/core.js";
import { abortError } from "../api/errors.js";
import type { Entry } from "./gather.js";
import type { CallOptions } from "../api/types.js";

/** One file of a host. Errors are thrown; the adapter below keeps them out of wasm. */
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

/** A range of a file. Its checksum, if it has one, covers the file from `origin` on. */
export interface FilePart {
  file: HostFile;
  offset: number;
  size: number;
  check?: { checks: PieceChecks; number: number; origin: number };
}

/** A piece of an output: fresh bytes, or a range of a file. */
export type Part = Uint8Array | FilePart;

/** One call's cancellation and progress, and the first error of a read in it. */
export class Watch {
  error: unknown = null;
  #bytes = 0;

  constructor(private readonly options: CallOptions) {}

  get aborted(): boolean {
    return this.options.signal?.aborted ?? false;
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }

  check(): void {
    if (this.options.signal?.aborted) throw abortError(this.options.signal);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    this.options.onProgress?.({ bytes: this.#bytes });
  }

  /** Does `work`, unless aborted; an error is remembered, never thrown. */
  guard(work: () => void): boolean {
    if (this.error !== null) return false;
    try {
      this.check();
      work();
      return true;
    } catch (error) {
      this.error = error;
      return false;
    }
  }
}

/** The files of one opening, used by its model and all models made from it. They close with the last of these. */
export class Sources {
  readonly bindings: BindingSource[] = [];
  #files = new Map<number, HostFile>();
  #watch = new Watch({});
  #models = 0;

  constructor(core: Core, files: readonly HostFile[]) {
    for (const file of files) this.#bind(core.nextSourceId(), file);
  }

  #bind(id: number, file: HostFile): void {
    this.#files.set(id, file);
    this.bindings.push({
      id,
      name: file.name,
      size: () => {
        let size = 0;
        this.#watch.guard(() => {
          size = file.size();
        });
        return size;
      },
      read: (offset, into) =>
        this.#watch.guard(() => {
          file.read(offset, into);
          this.#watch.count(into.length);
        }),
    });
  }

  /** Runs one call into the core with its reads watched. */
  during<T>(watch: Watch, work: () => T): T {
    watch.check();
    const before = this.#watch;
    this.#watch = watch;
    try {
      return work();
    } finally {
      this.#watch = before;
    }
  }

  get files(): Iterable<HostFile> {
    return this.#files.values();
  }

  file(id: number): HostFile | undefined {
    return this.#files.get(id);
  }

  retain(): void {
    if (this.#models++ === 0) for (const file of this.#files.values()) file.retain();
  }

  release(): void {
    if (--this.#models === 0) for (const file of this.#files.values()) file.release();
  }
}

/** The files of one model: of one opening, or of several if it was made from several models. */
export class SharedSources {
  constructor(private readonly all: readonly Sources[]) {}

  and(other: SharedSources): SharedSources {
    return new SharedSources([...new Set([...this.all, ...other.all])]);
  }

  bindings(): BindingSource[] {
    return this.all.flatMap(({ bindings }) => bindings);
  }

  /** Runs one call into the core with the reads of all watched as one. */
  during<T>(watch: Watch, work: () => T): T {
    return this.all.reduceRight<() => T>((inner, sources) => () => sources.during(watch, inner), work)();
  }

  /** Throws if a file that was read has changed. */
  checkUnchanged(): void {
    for (const { files } of this.all) for (const file of files) file.checkUnchanged?.();
  }

  part(piece: Piece, checks: PieceChecks): Part {
    if (ArrayBuffer.isView(piece)) return piece;
    const { offset, size, check, at = 0 } = piece;
    for (const sources of this.all) {
      const file = sources.file(piece.source);
      if (file)
        return {
          file,
          offset,
          size,
          ...(check !== undefined && { check: { checks, number: check, origin: offset - at } }),
        };
    }
    throw new Error(`no source ${piece.source}`);
  }

  retain(): void {
    for (const sources of this.all) sources.retain();
  }

  release(): void {
    for (const sources of this.all) sources.release();
  }
}
