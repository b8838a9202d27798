import type { App } from "../app/app.js";
import type { Step } from "../app/state.js";

const kPause = 100; // milliseconds without a change: lists and previews come first
const kMostNodes = 50_000; // larger graphs are checked on request

/**
 * Validates the current model by itself, so that a model which TensorFlow would refuse is reported. No weights are
 * read.
 */
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

  /** There will be a verdict soon. */
  isDue({ about, verdict }: Step): boolean {
    return !verdict && about.nodes > 0 && about.nodes <= kMostNodes;
  }

  async #check(step: Step): Promise<void> {
    const { busy, preview } = this.app.state;
    const { id, model, lists } = step;
    const waits = busy || preview?.running || !lists["nodes"];
    if (waits || !this.isDue(step)) return;
    this.#asked.add(model);
    try {
      const report = await model.validate({});
      this.app.changeStep(id, ({ verdict }) => (verdict ? {} : { verdict: report }));
    } catch {
      this.#asked.delete(model); // something else ended it
    }
  }
}
