import type { Step } from "../state/state.js";
import type { Store } from "../state/store.js";

const kPause = 120; // milliseconds that a step is pointed at before the two are compared

/** Compares the step under the pointer with the previous one. Applies nothing, and reads no weights. */
export class StepComparison {
  #asked = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: Store) {}

  /** `left`: the left edge of the step's chip, in pixels. */
  show(i: number, left: number): void {
    const step = this.store.state.steps[i];
    this.hide();
    if (!step?.made) return;
    this.store.set({ pointed: { id: step.id, left } });
    this.#timer = setTimeout(() => void this.#compare(this.store.state.steps[i - 1]!, step), kPause);
  }

  hide(): void {
    clearTimeout(this.#timer);
    if (this.store.state.pointed) this.store.set({ pointed: null });
  }

  async #compare(before: Step, step: Step): Promise<void> {
    if (step.change || this.#asked.has(step.id) || this.store.state.busy) return;
    this.#asked.add(step.id);
    try {
      const { structure } = await before.model.diff(step.model, { exclude: "**" });
      this.store.changeStep(step.id, () => ({ change: structure }));
    } catch {
      // Only the counts are shown then. The next attempt may succeed.
    } finally {
      this.#asked.delete(step.id);
    }
  }
}
