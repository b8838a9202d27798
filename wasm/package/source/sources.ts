import type { BindingSource } from "../core/binding.js";
import type { Core } from "../core/core.js";
import type { HostFile } from "./host_file.js";
import { Watch } from "./watch.js";

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

  /** Returns the file that has this id in the core. */
  file(id: number): HostFile {
    for (const sources of this.all) {
      const file = sources.file(id);
      if (file) return file;
    }
    throw new Error(`no source ${id}`);
  }

  retain(): void {
    for (const sources of this.all) sources.retain();
  }

  release(): void {
    for (const sources of this.all) sources.release();
  }
}
