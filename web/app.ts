import { CryographError, open } from "./engine.js";
import type { CallOptions, Diagnostic, Input, Pass } from "./engine.js";
import { makeStep, release, revoke, save } from "./step.js";
import { sampleFiles } from "./sample.js";
import type { Choice, State, Step } from "./state.js";
import { chosen } from "./output_picker.js";
import { kVerbs, kWords, made, verdict, type FormName } from "./words.js";

/** What a person can do, and the one state that follows from it. */
export class App {
  state: State = { steps: [], at: 0, busy: null, failure: null, dragging: false, said: "" };

  /** `changed` shows the state; `arrived` says that there is something new to look at: a selector. */
  constructor(private readonly changed: () => void, private readonly arrived: (selector: string) => void) {}

  get step(): Step | null {
    return this.state.steps[this.state.at] ?? null;
  }

  /** To be called within the event that brought the files: dropped items die with it. */
  open(input: Input): Promise<void> {
    return this.#work("Opening", kWords.couldNotOpen, async (call) => {
      const start = performance.now();
      const model = await open(input, { ...call });
      const step = await makeStep(kWords.opened, model, call);
      performance.measure("open", { start });
      this.#keep([], step);
      this.#arrive(".model-card h2", step.about.model);
    });
  }

  openSample(): Promise<void> {
    return this.#work("Opening", kWords.couldNotOpen, async () => {
      const files = await sampleFiles();
      void this.open(files);
    });
  }

  pass(pass: Pass): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    const before = this.state.steps.slice(0, this.state.at + 1);
    const { label, doing, done } = kVerbs[pass];
    return this.#work(doing, `${label} could not be done`, async (call) => {
      const model = await step.model[pass]({ ...(pass === "unfreeze" ? {} : chosen(step.choice)), ...call });
      const next = await makeStep(done, model, call, { pass, report: model.report, first: before[0]! });
      this.#keep(before, next);
      this.#arrive(".result-card h2", made(pass, model.report));
    });
  }

  validate(): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    return this.#work(kVerbs.validate.doing, "Validate could not be done", async (call) => {
      const report = await step.model.validate({ ...call });
      this.#change(step, { verdict: report });
      this.#arrive(".verdict-card h2", verdict(report));
    });
  }

  save(form: FormName): Promise<void> {
    const { step } = this;
    if (!step) return Promise.resolve();
    return this.#work(kWords.preparing, kWords.couldNotSave, async (call) => {
      const saved = await save(step, this.state.steps[0]!, form, call);
      if (step.saved) revoke(step.saved.form);
      this.#change(step, { saved });
      this.#arrive(".save-card h2", kWords.prepared);
    });
  }

  choose(step: Step, choice: Partial<Choice>): void {
    this.#change(step, { choice: { ...step.choice, ...choice } });
  }

  goTo(at: number): void {
    this.#set({ at, failure: null });
    this.arrived(".model-card h2");
  }

  cancel(): void {
    this.state.busy?.stop.abort();
  }

  dismiss(): void {
    this.#set({ failure: null });
    this.arrived("main h1, main h2");
  }

  drag(dragging: boolean): void {
    if (dragging !== this.state.dragging) this.#set({ dragging });
  }

  // One thing at a time: what is new ends what runs. A failure leaves everything as it was.
  async #work(doing: string, title: string, work: (call: CallOptions) => Promise<void>): Promise<void> {
    this.cancel();
    const stop = new AbortController();
    const mine = () => this.state.busy?.stop === stop;
    const onProgress: CallOptions["onProgress"] = ({ bytes }) => {
      if (mine()) this.#set({ busy: { doing, bytes, stop } });
    };
    this.#set({ busy: { doing, bytes: 0, stop }, failure: null, said: `${doing}…` });
    try {
      await work({ signal: stop.signal, onProgress });
    } catch (error) {
      if (!mine()) return;
      if (stop.signal.aborted) this.#set({ said: kWords.cancelled });
      else this.#fail(title, diagnosticsOf(error));
    } finally {
      if (mine()) this.#set({ busy: null });
    }
    if (this.state.failure) this.arrived(".failure h2");
  }

  #fail(title: string, diagnostics: Diagnostic[]): void {
    const [first] = diagnostics.filter(({ severity }) => severity === "error");
    this.#set({ failure: { title, diagnostics }, said: `${title}: ${first?.message ?? ""}` });
  }

  // The steps that are no longer on the way are let go.
  #keep(before: readonly Step[], step: Step): void {
    const kept = new Set(before.map(({ model }) => model));
    for (const old of this.state.steps) if (!kept.has(old.model)) release(old);
    this.#set({ steps: [...before, step], at: before.length });
  }

  #change(step: Step, change: Partial<Step>): void {
    this.#set({ steps: this.state.steps.map((each) => (each.model === step.model ? { ...each, ...change } : each)) });
  }

  #arrive(selector: string, said: string): void {
    this.#set({ said, busy: null });
    this.arrived(selector);
  }

  #set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }
}

function diagnosticsOf(error: unknown): Diagnostic[] {
  if (error instanceof CryographError) return error.diagnostics;
  const message = error instanceof Error ? error.message : String(error);
  return [{ severity: "error", code: "page", where: {}, message, fix: "Please report this.", fixable: false }];
}
