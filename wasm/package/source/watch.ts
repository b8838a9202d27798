import { abortError } from "../base/errors.js";
import type { CallOptions } from "../types/types.js";

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
