import { kInitialBrowse, type RecipeStep, type Step, type Tab, viewOf } from "../state/state.js";
import { tabNumbered } from "../state/tabs.js";
import { toolsOf } from "../tools/options.js";
import type { App } from "./app.js";
import { release } from "./step.js";

/** Goes through the steps of a model, from the opened one to the last result, and replays those that a link brought. */
export class HistoryActions {
  constructor(private readonly app: App) {}

  /**
   * Adds the step that a verb made in a tab after the steps `before`, and drops those that are no longer in the history.
   */
  add(tab: Tab, before: readonly Step[], step: Step): void {
    const kept = new Set(before.map(({ id }) => id));
    for (const old of tab.steps) if (!kept.has(old.id)) release(old);
    this.app.setIn(tab.tab, { steps: [...before, step], at: before.length, view: viewOf(tab.view, step) });
  }

  goTo(at: number): void {
    const { state } = this.app;
    if (at < 0 || at >= state.steps.length || at === state.at) return;
    const step = state.steps[at]!;
    this.app.set({
      at,
      failure: null,
      browse: { ...kInitialBrowse, table: state.browse.table },
      view: viewOf(state.view, step),
      result: step.made !== null,
      tool: toolsOf(step.about)[0]!,
      suggested: true,
      announcement: step.title,
    });
    this.app.focusOn(step.made ? "#result-title" : "#model-title");
  }

  /** Returns the steps from the opened model to the current one, without data. */
  recipe(): RecipeStep[] {
    const { steps, at } = this.app.state;
    return steps.slice(1, at + 1).map(({ made }) => ({ verb: made!.pass, options: made!.options }));
  }

  /** Applies the steps that a link brought to the open model. */
  async replayRecipe(): Promise<void> {
    const { recipe } = this.app.state;
    this.app.set({ recipe: [] });
    const { tab } = this.app.state;
    const at = () => tabNumbered(this.app.state, tab)?.at;
    for (const { verb, options } of recipe) {
      const before = at();
      await this.app.verbs.pass(verb, options, tab);
      if (at() === before) return; // it failed, or was canceled, or the tab was closed
    }
  }

  dropRecipe(): void {
    this.app.set({ recipe: [] });
  }
}
