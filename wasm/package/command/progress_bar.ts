import type { CommandBinding } from "./command_binding.js";

/** Progress is shown for work that takes longer, and then so often. Units: seconds. */
const kAfter = 1;
const kEvery = 0.1;
const kClear = "\r\x1b[K";

/** A line on the terminal that standard error is, for work that takes more than a second. */
export class ProgressBar {
  #began = performance.now();
  #drawn = 0;

  /** `doing`: "reading". */
  constructor(
    private readonly binding: CommandBinding,
    private readonly doing: string,
    private shown: boolean,
  ) {}

  /** Units: bytes. `total`: 0 if it is not known. */
  show(done: number, total: number): void {
    const now = performance.now();
    const seconds = (now - this.#began) / 1000;
    if (!this.shown || !process.stderr.isTTY || seconds < kAfter || now - this.#drawn < kEvery * 1000) return;
    this.#drawn = now;
    const line = this.binding.progress(this.doing, done, total, seconds, process.stderr.columns ?? 80);
    process.stderr.write(`${kClear}${line}`);
  }

  /** Removes the line; nothing is shown any more. */
  end(): void {
    if (this.#drawn > 0) process.stderr.write(kClear);
    this.#drawn = 0;
    this.shown = false;
  }
}
