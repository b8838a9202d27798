import type { PieceChecksBinding } from "../core/binding.js";
import type { Core } from "../core/core.js";
import { CryographError } from "../base/errors.js";
import { isMissing } from "./missing.js";
import type { SharedSources } from "./sources.js";
import { Watch } from "./watch.js";
import type { CallOptions, Diagnostic } from "../types/types.js";

const forgotten = new FinalizationRegistry<() => void>((release) => release());

/** The stored checksums of the pieces of one answer of the core. A reader of pieces passes the bytes to take(), and
 * calls finish() before the result is used. */
export class PieceChecks {
  #core: Core;
  #sources: SharedSources;
  #binding: PieceChecksBinding;

  constructor(core: Core, sources: SharedSources, binding: PieceChecksBinding) {
    this.#core = core;
    this.#sources = sources;
    this.#binding = binding;
    forgotten.register(this, () => core.free(binding));
  }

  take(check: number, at: number, bytes: Uint8Array): void {
    this.#run({}, () => this.#binding.take(check, at, bytes));
  }

  /** Compares the checksums that an output depends on, at the end of a call that counts its own reads. */
  finish({ signal }: CallOptions): void {
    this.verify(signal ? { signal } : {}, []);
  }

  /** The same, and these checks, of which nothing may have been read. */
  verify(options: CallOptions, checks: readonly number[]): void {
    this.#sources.retain();
    try {
      this.#run(options, () => this.#binding.finish(checks));
    } finally {
      this.#sources.release();
    }
  }

  #run(options: CallOptions, work: () => string): void {
    const watch = new Watch(options);
    const wrong = this.#sources.during(watch, () => this.#core.call(work));
    if (wrong === "" && watch.error === null) return;
    watch.check();
    if (wrong === "" || isMissing(watch.error)) throw watch.error;
    throw new CryographError(JSON.parse(wrong) as Diagnostic[], null, { cause: watch.error ?? undefined });
  }
}
