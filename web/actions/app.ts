import type { CallOptions } from "../engine/engine.js";
import { ListLoader } from "../updates/lists.js";
import { PictureLoader } from "../updates/picture.js";
import { PreviewRunner } from "../updates/preview.js";
import { StepComparison } from "../updates/step_comparison.js";
import { AutomaticValidation } from "../updates/validation.js";
import { BrowseActions } from "./browse.js";
import { ChoiceActions } from "./choices.js";
import { HistoryActions } from "./history.js";
import { OpenActions } from "./open.js";
import { SaveActions } from "./save.js";
import { TabActions } from "./tabs.js";
import { TaskRunner } from "./task_runner.js";
import { VerbActions } from "./verbs.js";

/**
 * The page's state, with all that changes it: the actions of a person, and what the page does by itself after a change.
 * Rooms that draw the page get an App: they show its state and call its actions.
 */
export class App extends TaskRunner {
  readonly tabs = new TabActions(this);
  readonly files = new OpenActions(this);
  readonly browse = new BrowseActions(this);
  readonly choices = new ChoiceActions(this);
  readonly verbs = new VerbActions(this);
  readonly history = new HistoryActions(this);
  readonly saving = new SaveActions(this);

  readonly lists = new ListLoader(this);
  readonly preview = new PreviewRunner(this);
  readonly picture = new PictureLoader(this, this.preview);
  readonly validation = new AutomaticValidation(this);
  readonly comparison = new StepComparison(this);

  /** Does what follows from the state by itself. To be called after every change of it. */
  update(): void {
    this.preview.update();
    this.lists.update();
    this.picture.update();
    this.validation.update();
  }

  closeDialog(): void {
    this.set({ dialog: null });
  }

  drag(dragging: boolean): void {
    if (dragging !== this.state.dragging) this.set({ dragging });
  }

  /** Runs one task at a time, and stops a preview, unless it has this `key`. `title`: of the failure, if it fails. */
  run(doing: string, title: () => string, work: (call: CallOptions) => Promise<void>, key = ""): Promise<void> {
    this.preview.yield(key);
    return this.work(doing, title, work);
  }

  /** Runs a task that needs no model: a preview goes on. */
  runAside(doing: string, title: () => string, work: (call: CallOptions) => Promise<void>): Promise<void> {
    return this.work(doing, title, work);
  }
}
