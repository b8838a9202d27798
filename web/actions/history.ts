import type { Files, InspectReport } from "../engine/engine.js";
import { kInitialBrowse, type BrowseState, type Pane, type RecipeStep, type Step, viewOf } from "../state/state.js";
import { toolsOf } from "../tools/options.js";
import { missingParts } from "../words/words.js";
import type { App } from "./app.js";
import { release } from "./step.js";

/** Goes through the steps of a model, from the opened one to the last result, and replays those that a link brought. */
export class HistoryActions {
  constructor(private readonly app: App) {}

  /** Shows an opened model. The steps of the previous one are kept, if there are any: `back()` returns to them. */
  begin(step: Step, files: Files): void {
    const { steps, at, previous } = this.app.state;
    const keeps = steps.length > 1;
    for (const old of keeps ? (previous?.steps ?? []) : steps) release(old);
    this.app.set({
      steps: [step],
      at: 0,
      files,
      previous: keeps ? { steps, at, files: this.app.state.files } : previous,
      view: viewOf(this.app.state.view, step),
      tool: toolsOf(step.about)[0]!,
      suggested: true,
      result: false,
      pane: firstPane(step),
      browse: firstBrowse(step.about),
    });
    this.app.showResult("#model-title", step.about.model);
  }

  /** Adds the step that a verb made after the steps `before`, and drops those that are no longer in the history. */
  add(before: readonly Step[], step: Step): void {
    const kept = new Set(before.map(({ id }) => id));
    for (const old of this.app.state.steps) if (!kept.has(old.id)) release(old);
    this.app.set({ steps: [...before, step], at: before.length, view: viewOf(this.app.state.view, step) });
  }

  /** Returns to the model that was open before, with its steps. */
  back(): void {
    const { previous, steps, at, files } = this.app.state;
    if (!previous) return;
    this.app.set({ steps: previous.steps, at: -1, files: previous.files, previous: { steps, at, files } });
    this.goTo(previous.at);
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
    for (const { verb, options } of recipe) {
      const { at } = this.app.state;
      await this.app.verbs.pass(verb, options);
      if (this.app.state.at === at) return; // it failed, or was canceled
    }
  }

  dropRecipe(): void {
    this.app.set({ recipe: [] });
  }
}

function firstBrowse({ nodes }: InspectReport): BrowseState {
  return { ...kInitialBrowse, table: nodes > 0 ? "picture" : "weights" };
}

// On a narrow screen: the picture; of a model that lacks parts, these.
function firstPane({ about, model }: Step): Pane {
  return about.nodes > 0 && !missingParts(about, [...model.report.diagnostics, ...about.diagnostics])
    ? "contents"
    : "model";
}
