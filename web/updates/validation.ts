import type { Step } from "../state/state.js";
import type { Store } from "../state/store.js";

const kPause = 100; // milliseconds without a change: lists and previews come first
const kMaxNodes = 50_000; // larger graphs are checked on request

/**
 * Validates the current model by itself, so that a model which TensorFlow would refuse is reported. No weights are
 * read.
 */
export class AutomaticValidation {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = new WeakSet<Step["model"]>();

  constructor(private readonly store: Store) {}

  /** To be called after every change of the state. */
  update(): void {
    clearTimeout(this.#timer);
    const { step } = this.store;
    if (step && !this.#asked.has(step.model)) this.#timer = setTimeout(() => void this.#check(step), kPause);
  }

  /** Returns true if there will be a verdict soon. */
  isPending({ about, verdict }: Step): boolean {
    return !verdict && about.nodes > 0 && about.nodes <= kMaxNodes;
  }

  async #check(step: Step): Promise<void> {
    const { busy, preview } = this.store.state;
    const { id, model, lists } = step;
    const waits = busy || preview?.running || !lists["nodes"];
    if (waits || !this.isPending(step)) return;
    this.#asked.add(model);
    try {
      const report = await model.validate({});
      this.store.changeStep(id, ({ verdict }) => (verdict ? {} : { verdict: report }));
    } catch {
      this.#asked.delete(model); // something else ended it
    }
  }
}
