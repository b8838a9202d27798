import type { CallOptions, Model, RepairReport } from "../engine/engine.js";
import { kInitialBrowse, type Options, type Pass, type Step } from "../state/state.js";
import { type Against, modelOf } from "../state/verify.js";
import { optionsOf, toolsOf } from "../tools/options.js";
import { passCall, passReport, withOptions } from "../tools/pass_call.js";
import { couldNot, differs, kVerbs, kWords, made, repaired, verdict } from "../words/words.js";
import type { App } from "./app.js";
import { loadWorkshop } from "./load_workshop.js";
import { describingCalls, makeStep, type Pending } from "./step.js";

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

  /** Applies a verb that makes a model, and shows the result as a new step. */
  pass(pass: Pass, options: Options): Promise<void> {
    const { step, state } = this.app;
    if (!step) return Promise.resolve();
    const before = state.steps.slice(0, state.at + 1);
    const { doing, done } = kVerbs[pass];
    const key = pass === "repair" ? "" : this.app.preview.keyOf(step, pass, options);
    return this.app.run(
      doing,
      () => couldNot(pass),
      async (call) => {
        const pending = { pass, options, first: before[0]! };
        const [model, ...results] = await this.#passed(step, key, pending, call);
        const next = makeStep(done, model, results, pending);
        this.app.history.add(before, next);
        this.app.set({
          tool: toolsOf(next.about)[0]!,
          suggested: true,
          unsaved: true,
          result: true,
          pane: "operate",
          browse: { ...kInitialBrowse, table: this.app.state.browse.table },
        });
        const summary = pass === "repair" ? repaired(model.report as RepairReport) : made(pass, passReport(model));
        this.app.showResult("#result-title", summary);
      },
      key,
    );
  }

  validate(): Promise<void> {
    const { step } = this.app;
    if (!step) return Promise.resolve();
    return this.app.run(
      kVerbs.validate.doing,
      () => couldNot("validate"),
      async (call) => {
        const report = await step.model.validate(withOptions(optionsOf("validate", step), call));
        this.app.changeStep(step.id, () => ({ verdict: report }));
        this.app.showResult("#verdict-title", verdict(report));
      },
    );
  }

  compare(): Promise<void> {
    const { step, state } = this.app;
    const { other } = state;
    if (!step || !other) return Promise.resolve();
    return this.app.run(
      kVerbs.diff.doing,
      () => couldNot("diff"),
      async (call) => {
        const difference = await step.model.diff(other.model, withOptions(optionsOf("diff", step), call));
        this.app.changeStep(step.id, () => ({ difference }));
        this.app.showResult("#difference-title", differs(difference));
      },
    );
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
        const verified = await run(state, step, other, against, this.app.state.files, call);
        this.app.changeStep(step.id, () => ({ verified }));
        this.app.showResult("#verified-title", outcome(verified.report).title);
      },
    );
  }

  /** Sets a file for an input of verify; null: random numbers again. */
  setInputFile(name: string, file: File | null): Promise<void> {
    return this.app.runAside(
      kWords.readingFile,
      () => kWords.notAValue,
      async () => {
        const { givenFrom } = await loadWorkshop();
        const { [name]: old, ...others } = this.app.state.run.given;
        const given = file ? { ...others, [name]: await givenFrom(file) } : others;
        if (old) URL.revokeObjectURL(old.picture);
        this.app.set({ run: { ...this.app.state.run, given } });
      },
    );
  }

  // Returns the model of a pass and its description. The model may be there already, of the preview with this key.
  async #passed(step: Step, key: string, pending: Pending, call: CallOptions): Promise<[Model, ...unknown[]]> {
    const { pass, options } = pending;
    const previewed = await this.app.preview.take(key, call.signal!);
    if (previewed) return [previewed, ...(await describe(previewed, pending, call))];
    const calls = [passCall(pass, options, this.app.state.other), ...describingCalls(pending)];
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
