import type { App } from "./app.js";
import type { Step } from "./state.js";

const kPause = 300;  // milliseconds without a change: what is shown and what is tried goes first
const kMostNodes = 50_000;  // of more it is asked for

/** Judges what is looked at by itself, so that a model which TensorFlow would refuse says so. No weight is read. */
export class Checker {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = new WeakSet<Step["model"]>();

  constructor(private readonly app: App) {}

  /** After every change of the state. */
  follow(): void {
    clearTimeout(this.#timer);
    const { step } = this.app;
    if (step && !this.#asked.has(step.model)) this.#timer = setTimeout(() => void this.#check(step), kPause);
  }

  async #check({ id, model, about, verdict, lists }: Step): Promise<void> {
    const { busy, preview } = this.app.state;
    const waits = busy || preview?.running || !lists["nodes"];
    if (waits || verdict || about.nodes === 0 || about.nodes > kMostNodes) return;
    this.#asked.add(model);
    try {
      const report = await model.validate({});
      this.app.changeStep(id, (step) => (step.verdict ? {} : { verdict: report }));
    } catch {
      this.#asked.delete(model);  // something else ended it
    }
  }
}
