import { Changes } from "../history/changes.js";
import { Checker } from "../look/checker.js";
import { Looker } from "../look/looker.js";
import { withBeside } from "../open/beside.js";
import { sampleFiles, sampleNames } from "../open/samples.js";
import { optionsOf, toolsOf } from "../operate/options.js";
import { Previewer } from "../operate/preview.js";
import { Sketcher, viewOf } from "../picture/sketcher.js";
import { chooseFolder, writeInto } from "../save/folder.js";
import { loadWorkshop } from "../shell/load_workshop.js";
import { modelOf, type Against } from "../verify/state.js";
import { differs, kVerbs, kWords, made, mended, missingParts, saved, verdict, type FormName } from "../words/words.js";
import { collect, open } from "./engine.js";
import type { CallOptions, Files, Input, InspectReport, Model, RepairReport } from "./engine.js";
import { passReport, runPass, withOptions } from "./passes.js";
import type { Choice, Form, Looking, Options, Pane, Pass, RecipeStep, Step, Tool } from "./state.js";
import { kNothingLookedAt } from "./state.js";
import { makeStep, release, revoke, save, zipped } from "./step.js";
import { Store } from "./store.js";

/** The actions of a person, and the state that follows from them. */
export class App extends Store {
  readonly preview = new Previewer(this);
  readonly look = new Looker(this);
  readonly sketch = new Sketcher(this);
  readonly changes = new Changes(this);
  readonly checker = new Checker(this);
  #files: Files = {}; // of the open model
  #tried: Files = {}; // the last files that a person tried to open

  get step(): Step | null {
    return this.state.steps[this.state.at] ?? null;
  }

  /** To be called within the event that brought the files: dropped items die with it. */
  open(input: Input, how: { tag?: string; noChecksum?: boolean } = {}): Promise<void> {
    const start = performance.now();
    const collecting = collect(input);
    return this.#work("Opening", kWords.couldNotOpen, async (call) => {
      [this.#tried] = await Promise.all([collecting, loadWorkshop()]);
      const model = await open(this.#tried, { ...how, ...call });
      const step = called(await makeStep(kWords.opened, model, call), this.#tried);
      this.#files = this.#tried;
      performance.measure("open", { start });
      this.#keep([], step);
      this.set({ tool: toolsOf(step.about)[0]!, result: false, pane: firstPane(step), looking: firstLook(step.about) });
      this.arrive("#model-title", step.about.model);
    });
  }

  /** The same files again, of a SavedModel with several sets of tags. */
  openTagged(tag: string): void {
    void this.open(this.#tried, { tag });
  }

  /** The same files again, whatever their checksums are. */
  openUnchecked(): void {
    void this.open(this.#tried, { noChecksum: true });
  }

  /** Adds parts that the open model lacks, and opens it again. */
  add(input: Input): Promise<void> {
    const collecting = collect(input);
    return this.#work("Opening", kWords.couldNotOpen, async () => {
      void this.open(withBeside(this.#files, await collecting));
    });
  }

  openSample(name = sampleNames[0]!): Promise<void> {
    return this.#work("Opening", kWords.couldNotOpen, async () => {
      const files = await sampleFiles(name);
      void this.open(files);
    });
  }

  /** The second model, of tools that take two. */
  openOther(input: Input): Promise<void> {
    return this.#work("Opening", kWords.couldNotOpen, async (call) => {
      const model = await open(input, { ...call });
      const about = await model.inspect({ ...call });
      this.state.other?.model.close();
      this.set({ other: { model, about } });
      this.arrive("#other-title", about.model);
    });
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
    const { label, doing, done } = kVerbs[pass];
    const key = pass === "repair" ? "" : previewKey(step, pass, options, this.state.other?.model);
    return this.#work(
      doing,
      `${label} could not be done`,
      async (call) => {
        const tried = await this.preview.take(key, call.signal!);
        const model = tried ?? (await runPass(step, pass, options, this.state.other, call));
        const next = await makeStep(done, model, call, { pass, options, first: before[0]! });
        this.#keep(before, next);
        this.set({
          tool: toolsOf(next.about)[0]!,
          result: true,
          pane: "operate",
          looking: { ...kNothingLookedAt, table: this.state.looking.table },
        });
        const said = pass === "repair" ? mended(model.report as RepairReport) : made(pass, passReport(model));
        this.arrive("#result-title", said);
      },
      key,
    );
  }

  validate(): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    return this.#work(kVerbs.validate.doing, "Validate could not be done", async (call) => {
      const report = await step.model.validate(withOptions(optionsOf("validate", step), call));
      this.#change(step, { verdict: report });
      this.arrive("#verdict-title", verdict(report));
    });
  }

  compare(): Promise<void> {
    const {
      step,
      state: { other },
    } = this;
    if (!step || !other) return Promise.resolve();
    return this.#work(kVerbs.diff.doing, "Compare could not be done", async (call) => {
      const difference = await step.model.diff(other.model, withOptions(optionsOf("diff", step), call));
      this.#change(step, { difference });
      this.arrive("#difference-title", differs(difference));
    });
  }

  /** Runs the current model and another on the same input. */
  verify(against: Against): Promise<void> {
    const { step, state } = this;
    const other = modelOf(state, against);
    if (!step || !other) return Promise.resolve();
    return this.#work(kWords.runningBoth, kWords.couldNotRunBoth, async (call) => {
      const { outcome, run } = await loadWorkshop();
      const verified = await run(state, step, other, against, this.#files, call);
      this.#change(step, { verified });
      this.arrive("#verified-title", outcome(verified.report).title);
    });
  }

  /** Sets a file for an input of verify; null: random numbers again. */
  give(name: string, file: File | null): Promise<void> {
    return this.work(kWords.readingFile, kWords.notAValue, async () => {
      const { givenFrom } = await loadWorkshop();
      const { [name]: old, ...others } = this.state.run.given;
      const given = file ? { ...others, [name]: await givenFrom(file) } : others;
      if (old) URL.revokeObjectURL(old.picture);
      this.set({ run: { ...this.state.run, given } });
    });
  }

  save(form: FormName): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    return this.#work(kWords.preparing, kWords.couldNotSave, async (call) => {
      const files = await save(step, this.state.steps[0]!, form, optionsOf("save", step), call);
      if (step.saved) revoke(step.saved.form);
      this.#change(step, { saved: files });
      this.arrive("#save-title", kWords.prepared);
    });
  }

  /** The files of a form as one .zip. */
  zip(form: Form): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    return this.#work(kWords.zipping, kWords.couldNotSave, async (call) => {
      const zip = await zipped(step, form, call);
      this.#changeForm(step.id, form, { zipped: zip });
      this.arrive(`a[href="${zip.url}"]`, kWords.prepared);
      document.querySelector<HTMLElement>(`a[href="${zip.url}"]`)?.click();
    });
  }

  /** Writes the files of a form into a folder on disk. To be called within the event of the person's action. */
  async saveInFolder(form: Form): Promise<void> {
    const { step } = this;
    const choosing = chooseFolder();
    await this.#work(kWords.writing, kWords.couldNotSave, async (call) => {
      const folder = await choosing;
      if (!step || !folder) return;
      await writeInto(folder, form.files, call);
      this.#changeForm(step.id, form, { savedIn: folder.name });
      this.set({ said: saved(form.files.length, folder.name) });
    });
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
    if (this.step) this.#change(this.step, { choice: { ...this.step.choice, ...choice } });
  }

  use(tool: Tool): void {
    this.set({ tool, result: false, pane: "operate" });
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

  // `key`: of the preview that is not to be stopped.
  #work(doing: string, title: string, work: (call: CallOptions) => Promise<void>, key = ""): Promise<void> {
    this.preview.yield(key);
    return this.work(doing, title, work);
  }

  // Drops the steps that are no longer in the history.
  #keep(before: readonly Step[], step: Step): void {
    const kept = new Set(before.map(({ id }) => id));
    for (const old of this.state.steps) if (!kept.has(old.id)) release(old);
    this.set({ steps: [...before, step], at: before.length, view: viewOf(this.state.view, step) });
  }

  // Changes a form of the result, or of the saved model; the step may have changed meanwhile.
  #changeForm(id: number, old: Form, change: Partial<Form>): void {
    const changed = (form: Form) => (form === old ? { ...form, ...change } : form);
    this.changeStep(id, ({ made: result, saved: last }) => ({
      made: result && { ...result, forms: result.forms.map(changed) },
      saved: last && { ...last, form: changed(last.form) },
    }));
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

// The core does not know the folder that contains all files, from which a SavedModel takes its name.
function called(step: Step, files: Files): Step {
  const [, folder] =
    /^(.+)\/saved_model\.pb(?:txt)?$/.exec(Object.keys(files).find((name) => name.endsWith(step.about.model)) ?? "") ??
    [];
  return folder ? { ...step, about: { ...step.about, model: folder } } : step;
}

const kIds = new WeakMap<Model, number>();
let ids = 0;

function previewKey(step: Step, pass: Pass, options: Options, other: Model | undefined): string {
  if (other && !kIds.has(other)) kIds.set(other, ++ids);
  return JSON.stringify([step.id, pass, options, pass === "transfer" && other ? kIds.get(other) : 0]);
}
