import { Changes } from "../history/changes.js";
import { Checker } from "../look/checker.js";
import { Looker } from "../look/looker.js";
import { inputNames, optionsOf, toolsOf } from "../operate/options.js";
import { Previewer } from "../operate/preview.js";
import { Sketcher, viewOf } from "../picture/sketcher.js";
import { loadWorkshop } from "../shell/load_workshop.js";
import { modelOf, type Against } from "../verify/state.js";
import { couldNot, differs, kVerbs, kWords, made, missingParts, repaired, verdict } from "../words/words.js";
import type { CallOptions, Files, InspectReport, Model, RepairReport } from "./engine.js";
import { Opening } from "./opening.js";
import { passCall, passReport, withOptions } from "./passes.js";
import { Saving } from "./saving.js";
import type { Choice, Looking, Options, Pane, Pass, RecipeStep, Step, Tool } from "./state.js";
import { kNothingLookedAt } from "./state.js";
import { describingCalls, makeStep, type Pending, release } from "./step.js";
import { Store } from "./store.js";

/** The actions of a person, and the state that follows from them. */
export class App extends Store {
  readonly files = new Opening(this);
  readonly saving = new Saving(this);
  readonly preview = new Previewer(this);
  readonly look = new Looker(this);
  readonly sketch = new Sketcher(this);
  readonly changes = new Changes(this);
  readonly checker = new Checker(this);

  get step(): Step | null {
    return this.state.steps[this.state.at] ?? null;
  }

  /** Shows an opened model. The steps of the previous one are kept, if there are any: `back()` returns to them. */
  begin(step: Step, files: Files): void {
    const { steps, at, previous } = this.state;
    const keeps = steps.length > 1;
    for (const old of keeps ? (previous?.steps ?? []) : steps) release(old);
    this.set({
      steps: [step],
      at: 0,
      files,
      previous: keeps ? { steps, at, files: this.state.files } : previous,
      view: viewOf(this.state.view, step),
      tool: toolsOf(step.about)[0]!,
      suggested: true,
      result: false,
      pane: firstPane(step),
      looking: firstLook(step.about),
    });
    this.arrive("#model-title", step.about.model);
  }

  /** Returns to the model that was open before, with its steps. */
  back(): void {
    const { previous, steps, at, files } = this.state;
    if (!previous) return;
    this.set({ steps: previous.steps, at: -1, files: previous.files, previous: { steps, at, files } });
    this.goTo(previous.at);
  }

  /** The verb of a tool, done. */
  apply(): Promise<void> {
    const { tool } = this.state;
    if (tool === "validate") return this.validate();
    if (tool === "diff") return this.compare();
    if (tool === "save" || !this.step) return Promise.resolve();
    return this.pass(tool, optionsOf(tool, this.step));
  }

  pass(pass: Pass, options: Options): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    const before = this.state.steps.slice(0, this.state.at + 1);
    const { doing, done } = kVerbs[pass];
    const key = pass === "repair" ? "" : previewKey(step, pass, options, this.state.other?.model);
    return this.run(
      doing,
      () => couldNot(pass),
      async (call) => {
        const tried = await this.preview.take(key, call.signal!);
        const pending = { pass, options, first: before[0]! };
        const [model, ...results] = tried
          ? [tried, ...(await describe(tried, pending, call))]
          : ((await step.model.run([passCall(pass, options, this.state.other), ...describingCalls(pending)], call)) as [
              Model,
              ...unknown[],
            ]);
        const next = makeStep(done, model, results, pending);
        this.#keep(before, next);
        this.set({
          tool: toolsOf(next.about)[0]!,
          suggested: true,
          unsaved: true,
          result: true,
          pane: "operate",
          looking: { ...kNothingLookedAt, table: this.state.looking.table },
        });
        const said = pass === "repair" ? repaired(model.report as RepairReport) : made(pass, passReport(model));
        this.arrive("#result-title", said);
      },
      key,
    );
  }

  validate(): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    return this.run(
      kVerbs.validate.doing,
      () => couldNot("validate"),
      async (call) => {
        const report = await step.model.validate(withOptions(optionsOf("validate", step), call));
        this.#change(step, { verdict: report });
        this.arrive("#verdict-title", verdict(report));
      },
    );
  }

  compare(): Promise<void> {
    const {
      step,
      state: { other },
    } = this;
    if (!step || !other) return Promise.resolve();
    return this.run(
      kVerbs.diff.doing,
      () => couldNot("diff"),
      async (call) => {
        const difference = await step.model.diff(other.model, withOptions(optionsOf("diff", step), call));
        this.#change(step, { difference });
        this.arrive("#difference-title", differs(difference));
      },
    );
  }

  /** Runs the current model and another on the same input. */
  verify(against: Against): Promise<void> {
    const { step, state } = this;
    const other = modelOf(state, against);
    if (!step || !other) return Promise.resolve();
    return this.run(
      kWords.runningBoth,
      () => kWords.couldNotRunBoth,
      async (call) => {
        const { outcome, run } = await loadWorkshop();
        const verified = await run(state, step, other, against, this.state.files, call);
        this.#change(step, { verified });
        this.arrive("#verified-title", outcome(verified.report).title);
      },
    );
  }

  /** Sets a file for an input of verify; null: random numbers again. */
  give(name: string, file: File | null): Promise<void> {
    return this.work(
      kWords.readingFile,
      () => kWords.notAValue,
      async () => {
        const { givenFrom } = await loadWorkshop();
        const { [name]: old, ...others } = this.state.run.given;
        const given = file ? { ...others, [name]: await givenFrom(file) } : others;
        if (old) URL.revokeObjectURL(old.picture);
        this.set({ run: { ...this.state.run, given } });
      },
    );
  }

  /** The steps that a link brought, on the model that is open. */
  async takeRecipe(): Promise<void> {
    const { recipe } = this.state;
    this.set({ recipe: [] });
    for (const { verb, options } of recipe) {
      const { at } = this.state;
      await this.pass(verb, options);
      if (this.state.at === at) return; // it failed, or was canceled
    }
  }

  dropRecipe(): void {
    this.set({ recipe: [] });
  }

  choose(choice: Partial<Choice>): void {
    if (!this.step) return;
    this.#change(this.step, { choice: { ...this.step.choice, ...choice } });
    if (this.state.suggested) this.set({ suggested: false });
  }

  use(tool: Tool): void {
    this.set({ tool, suggested: false, result: false, pane: "operate" });
  }

  /** Leaves a tool that the page suggested and that fails, for the next that needs no second model. */
  skip(tool: Tool): void {
    const { step, state } = this;
    if (!step || !state.suggested || state.tool !== tool) return;
    const tools = toolsOf(step.about);
    const next = tools.slice(tools.indexOf(tool) + 1).find((each) => each !== "transfer");
    if (next) this.set({ tool: next });
  }

  /** The verdict that is there already. */
  seeWhy(): void {
    this.use("validate");
    this.arrived("#verdict-title");
  }

  /** Keeps a node of the main graph as an output, or no longer. */
  toggleOutput(name: string): void {
    if (!this.step || this.state.looking.body) return;
    const outputs = new Set(this.step.choice.outputs);
    if (!outputs.delete(name)) outputs.add(name);
    this.choose({ outputs });
  }

  /** Uses a node of the main graph as an input of the kept graph, or no longer. Shows the tool that does so. */
  toggleInput(name: string): void {
    const { step } = this;
    if (!step) return;
    const { tool, result } = this.state;
    const inputs = inputNames(step.choice).filter((each) => each !== name);
    if (inputs.length === inputNames(step.choice).length) inputs.push(name);
    this.choose({ texts: { ...step.choice.texts, inputs: inputs.join(", ") } });
    if (result || (tool !== "freeze" && tool !== "prune")) this.set({ tool: "prune", result: false });
    this.set({ said: `${name}: ${inputs.includes(name) ? kWords.useAsInput : kWords.usedAsInput}` });
  }

  drag(dragging: boolean): void {
    if (dragging !== this.state.dragging) this.set({ dragging });
  }

  goTo(at: number): void {
    if (at < 0 || at >= this.state.steps.length || at === this.state.at) return;
    const step = this.state.steps[at]!;
    const looking = { ...kNothingLookedAt, table: this.state.looking.table };
    this.set({
      at,
      failure: null,
      looking,
      view: viewOf(this.state.view, step),
      result: step.made !== null,
      tool: toolsOf(step.about)[0]!,
      suggested: true,
      said: step.title,
    });
    this.arrived(step.made ? "#result-title" : "#model-title");
  }

  /** Changes a step after an asynchronous call; does nothing if the step was removed meanwhile. */
  changeStep(id: number, change: (step: Step) => Partial<Step>): void {
    const step = this.state.steps.find((each) => each.id === id);
    if (step) this.#change(step, change(step));
  }

  previewKey(step: Step, tool: Pass & Tool): string {
    return previewKey(step, tool, optionsOf(tool, step), this.state.other?.model);
  }

  /** Returns the steps from the opened model to the current one, without data. */
  recipe(): RecipeStep[] {
    return this.state.steps
      .slice(1, this.state.at + 1)
      .map(({ made: each }) => ({ verb: each!.pass, options: each!.options }));
  }

  /**
   * Does one thing at a time, and stops a preview; `key`: but for this one. `title`: of the failure, if it fails.
   */
  run(doing: string, title: () => string, work: (call: CallOptions) => Promise<void>, key = ""): Promise<void> {
    this.preview.yield(key);
    return this.work(doing, title, work);
  }

  // Drops the steps that are no longer in the history.
  #keep(before: readonly Step[], step: Step): void {
    const kept = new Set(before.map(({ id }) => id));
    for (const old of this.state.steps) if (!kept.has(old.id)) release(old);
    this.set({ steps: [...before, step], at: before.length, view: viewOf(this.state.view, step) });
  }

  #change(step: Step, change: Partial<Step>): void {
    this.set({ steps: this.state.steps.map((each) => (each.id === step.id ? { ...each, ...change } : each)) });
  }
}

function firstLook({ nodes }: InspectReport): Looking {
  return { ...kNothingLookedAt, table: nodes > 0 ? "picture" : "weights" };
}

// On a narrow screen: the picture; of a model that lacks parts, these.
function firstPane({ about, model }: Step): Pane {
  return about.nodes > 0 && !missingParts(about, [...model.report.diagnostics, ...about.diagnostics])
    ? "contents"
    : "model";
}

// Describes the model of a preview, which is closed if that fails.
async function describe(model: Model, pending: Pending, call: CallOptions): Promise<unknown[]> {
  try {
    return await model.run(describingCalls(pending), call);
  } catch (error) {
    model.close();
    throw error;
  }
}

const kIds = new WeakMap<Model, number>();
let ids = 0;

function previewKey(step: Step, pass: Pass, options: Options, other: Model | undefined): string {
  if (other && !kIds.has(other)) kIds.set(other, ++ids);
  return JSON.stringify([step.id, pass, options, pass === "transfer" && other ? kIds.get(other) : 0]);
}
