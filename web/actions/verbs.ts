import type { CallOptions, Model, RepairReport } from "../engine/engine.js";
import { kInitialBrowse, type Options, type Other, type Pass, type Step } from "../state/state.js";
import { modelOf, secondOf, stepOf, tabNumbered } from "../state/tabs.js";
import type { Against } from "../state/verify.js";
import { optionsOf, toolsOf } from "../tools/options.js";
import { passCall, passReport, withOptions } from "../tools/pass_call.js";
import { loadsIn } from "../words/compat.js";
import { couldNot, differs, kVerbs, kWords, made, repaired, verdict } from "../words/words.js";
import type { App } from "./app.js";
import { loadWorkshop } from "./load_workshop.js";
import { describingCalls, makeStep, type Pending, release } from "./step.js";

/** Applies the verbs to the current model. */
export class VerbActions {
  constructor(private readonly app: App) {}

  /** Applies the verb of the current tool. */
  apply(): Promise<void> {
    const { step, state } = this.app;
    const { tool } = state;
    if (tool === "validate") return this.validate();
    if (tool === "diff") return this.compare();
    if (tool === "save" || !step) return Promise.resolve();
    return this.pass(tool, optionsOf(tool, step));
  }

  /** Applies a verb that makes a model to the current step of a tab, and shows the result there as a new step. */
  pass(pass: Pass, options: Options, number = this.app.state.tab): Promise<void> {
    const tab = tabNumbered(this.app.state, number);
    const step = tab && stepOf(tab);
    if (!step) return Promise.resolve();
    const before = tab.steps.slice(0, tab.at + 1);
    const second = secondOf(this.app.state, tab);
    const { doing, done } = kVerbs[pass];
    const key = pass === "repair" ? "" : this.app.preview.keyOf(step, pass, options);
    return this.app.run(
      doing,
      () => couldNot(pass),
      async (call) => {
        const pending = { pass, options, first: before[0]! };
        const [model, ...results] = await this.#passed(step, key, second, pending, call);
        const next = makeStep(done, model, results, pending);
        const now = tabNumbered(this.app.state, number);
        if (!now) return release(next); // it was closed
        this.app.history.add(now, before, next);
        this.app.setIn(number, {
          tool: toolsOf(next.about)[0]!,
          suggested: true,
          unsaved: true,
          result: true,
          pane: "operate",
          browse: { ...kInitialBrowse, table: now.browse.table },
        });
        const summary = pass === "repair" ? repaired(model.report as RepairReport) : made(pass, passReport(model));
        this.app.showResult("#result-title", summary, number);
      },
      key,
    );
  }

  validate(): Promise<void> {
    return this.#look(kVerbs.validate.doing, couldNot("validate"), "#verdict-title", async (step, call) => {
      const report = await step.model.validate(withOptions(optionsOf("validate", step), call));
      this.app.changeStep(step.id, () => ({ verdict: report }));
      return verdict(report);
    });
  }

  /** Asks which releases and runtimes load the model. */
  compat(): Promise<void> {
    return this.#look(kWords.askingWhere, kWords.couldNotAskWhere, "#compat-title", async (step, call) => {
      const compat = await step.model.compat(call);
      this.app.changeStep(step.id, () => ({ compat }));
      return loadsIn(compat);
    });
  }

  compare(): Promise<void> {
    const second = secondOf(this.app.state);
    if (!second) return Promise.resolve();
    return this.#look(kVerbs.diff.doing, couldNot("diff"), "#difference-title", async (step, call) => {
      const difference = await step.model.diff(second.model, withOptions(optionsOf("diff", step), call));
      this.app.changeStep(step.id, () => ({ difference }));
      return differs(difference);
    });
  }

  /** Runs the current model and another on the same input. */
  verify(against: Against): Promise<void> {
    const { step, state } = this.app;
    const other = modelOf(state, against);
    if (!step || !other) return Promise.resolve();
    return this.app.run(
      kWords.runningBoth,
      () => kWords.couldNotRunBoth,
      async (call) => {
        const { outcome, run } = await loadWorkshop();
        const verified = await run(state, step, other, against, state.files, call);
        this.app.changeStep(step.id, () => ({ verified }));
        this.app.showResult("#verified-title", outcome(verified.report).title, state.tab);
      },
    );
  }

  /** Sets a file for an input of verify; null: random numbers again. */
  setInputFile(name: string, file: File | null): Promise<void> {
    const { tab } = this.app.state;
    return this.app.runAside(
      kWords.readingFile,
      () => kWords.notAValue,
      async () => {
        const { givenFrom } = await loadWorkshop();
        const value = file && (await givenFrom(file));
        const now = tabNumbered(this.app.state, tab);
        if (!now) return;
        const { [name]: old, ...others } = now.run.given;
        if (old) URL.revokeObjectURL(old.picture);
        this.app.setIn(tab, { run: { ...now.run, given: value ? { ...others, [name]: value } : others } });
      },
    );
  }

  // Runs a verb that makes no model: `work` keeps its report, and returns it in one line.
  #look(
    doing: string,
    failed: string,
    selector: string,
    work: (step: Step, call: CallOptions) => Promise<string>,
  ): Promise<void> {
    const { step, state } = this.app;
    if (!step) return Promise.resolve();
    return this.app.run(
      doing,
      () => failed,
      async (call) => this.app.showResult(selector, await work(step, call), state.tab),
    );
  }

  // Returns the model of a pass and its description. The model may be there already, of the preview with this key.
  async #passed(
    step: Step,
    key: string,
    second: Other | null,
    pending: Pending,
    call: CallOptions,
  ): Promise<[Model, ...unknown[]]> {
    const { pass, options } = pending;
    const previewed = await this.app.preview.take(key, call.signal!);
    if (previewed) return [previewed, ...(await describe(previewed, pending, call))];
    const calls = [passCall(pass, options, second), ...describingCalls(pending)];
    return (await step.model.run(calls, call)) as [Model, ...unknown[]];
  }
}

// Closes the model if it cannot be described.
async function describe(model: Model, pending: Pending, call: CallOptions): Promise<unknown[]> {
  try {
    return await model.run(describingCalls(pending), call);
  } catch (error) {
    model.close();
    throw error;
  }
}
