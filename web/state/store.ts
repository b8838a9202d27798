import { kInitialState, type State, type Step } from "./state.js";

/** The page's one state. Every change of it renders the page again. */
export class Store {
  state: State = kInitialState;

  /** `changed` renders the state; `focusOn` moves the focus to new content, given by its selector. */
  constructor(
    private readonly changed: () => void,
    readonly focusOn: (selector: string) => void,
  ) {}

  /** The current step; null if no model is open. */
  get step(): Step | null {
    return this.state.steps[this.state.at] ?? null;
  }

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }

  /** Changes a step, also after an asynchronous call; does nothing if the step was removed meanwhile. */
  changeStep(id: number, change: (step: Step) => Partial<Step>): void {
    if (!this.state.steps.some((each) => each.id === id)) return;
    this.set({ steps: this.state.steps.map((each) => (each.id === id ? { ...each, ...change(each) } : each)) });
  }
}
