import { kInitialState, type State, type Step, type Tab } from "./state.js";
import { tabsOf } from "./tabs.js";

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

  /** Changes a tab, also after an asynchronous call; does nothing if it was closed meanwhile. */
  setIn(tab: number, change: Partial<Tab>): void {
    if (tab === this.state.tab) return this.set(change);
    this.set({ tabs: this.state.tabs.map((each) => (each?.tab === tab ? { ...each, ...change } : each)) });
  }

  /** Returns the number of the tab that has a step; null if the step was removed. */
  tabOf(step: number): number | null {
    return tabsOf(this.state).find(({ steps }) => steps.some(({ id }) => id === step))?.tab ?? null;
  }

  /** Changes a step, also after an asynchronous call; does nothing if the step was removed meanwhile. */
  changeStep(id: number, change: (step: Step) => Partial<Step>): void {
    const tab = tabsOf(this.state).find(({ steps }) => steps.some((each) => each.id === id));
    if (!tab) return;
    this.setIn(tab.tab, { steps: tab.steps.map((each) => (each.id === id ? { ...each, ...change(each) } : each)) });
  }
}
