import { CryographError, type Model, type PassReport } from "../engine/engine.js";
import { diagnosticsOf } from "../engine/engine.js";
import type { Pass, Preview, State, Step, Tool } from "../state/state.js";
import type { Store } from "../state/store.js";
import { isIncomplete, optionsOf, toolsOf } from "../tools/options.js";
import { passCall, passReport } from "../tools/pass_call.js";

const kPause = 120; // milliseconds without a change, before something is tried
const kPatience = 300; // milliseconds that an action waits for a preview to finish
// Models with more nodes are previewed only on request.
const kMostNodes = 200_000;

const kIds = new WeakMap<Model, number>(); // of second models
let ids = 0;

interface Running {
  key: string;
  stop: AbortController;
  done: Promise<void>;
}

interface PreviewRequest {
  key: string;
  step: Step;
  pass: Pass & Tool;
}

/**
 * Runs the current tool whenever the state has changed. A pass is cheap, because no weight is read. The resulting model
 * is kept, so that applying the tool only takes it.
 */
export class PreviewRunner {
  #made: { key: string; model: Model } | null = null;
  #running: Running | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: Store) {}

  /** To be called after every change of the state. `asked`: by a person, whatever it costs. */
  update(asked = false): void {
    const wanted = this.#wanted(asked);
    if (wanted?.key === (this.#running?.key ?? this.store.state.preview?.key)) return;
    clearTimeout(this.#timer);
    if (this.#running) return this.yield(); // its end is a change, which calls this function again
    if (wanted) this.#timer = setTimeout(() => this.#run(wanted), kPause);
  }

  /**
   * Returns the last preview of a step and a tool, for these options or for others; null if another one was made since.
   */
  last({ id }: Step, tool: Tool): Preview | null {
    const { preview } = this.store.state;
    return preview?.step === id && preview.tool === tool ? preview : null;
  }

  /** Returns true if the preview is expensive, and so made only on request. */
  isExpensive({ about, choice }: Step, tool: Tool): boolean {
    // To pair by values reads them.
    return about.nodes > kMostNodes || (tool === "transfer" && (choice.texts["match"] ?? "").includes("value"));
  }

  /** Returns the key of a preview: of a step, a pass with its options, and the second model. */
  keyOf(step: Step, pass: Pass, options = optionsOf(pass as Tool, step)): string {
    const other = this.store.state.other?.model;
    if (other && !kIds.has(other)) kIds.set(other, ++ids);
    return JSON.stringify([step.id, pass, options, pass === "transfer" && other ? kIds.get(other) : 0]);
  }

  /**
   * Returns the model of a preview with exactly these options, and passes its ownership to the caller. Waits for a
   * running one.
   */
  async take(key: string, signal: AbortSignal): Promise<Model | null> {
    const running = this.#running?.key === key ? this.#running : null;
    if (running) {
      signal.addEventListener("abort", () => running.stop.abort());
      await running.done;
    }
    if (this.#made?.key !== key) return null;
    const { model } = this.#made;
    this.#made = null;
    return model;
  }

  /** Returns the model of the preview with this key, as long as it is there; it may be closed at any time. */
  model(key: string): Model | null {
    return this.#made?.key === key ? this.#made.model : null;
  }

  /**
   * Frees the worker for something else: a running preview gets little time to finish, unless it is the requested one.
   */
  yield(key = ""): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    if (running && running.key !== key) setTimeout(() => running.stop.abort(), kPatience);
  }

  #wanted(asked: boolean): PreviewRequest | null {
    const { step, state } = this.store;
    if (!step || state.busy || state.result) return null;
    const { tool } = state;
    if (tool === "validate" || tool === "diff" || tool === "save") return null;
    if (!asked && this.isExpensive(step, tool)) return null;
    if (isIncomplete(tool, step, state.other)) return null;
    return { key: this.keyOf(step, tool), step, pass: tool };
  }

  #run(wanted: PreviewRequest): void {
    const stop = new AbortController();
    const { key, step, pass: tool } = wanted;
    const last = this.last(step, tool);
    this.#running = { key, stop, done: Promise.resolve().then(() => this.#try(wanted, stop.signal)) };
    this.store.set({
      preview: {
        step: step.id,
        tool,
        key,
        report: last?.report ?? null,
        refused: last?.refused ?? null,
        running: true,
      },
    });
  }

  async #try({ key, step, pass }: PreviewRequest, signal: AbortSignal): Promise<void> {
    const known = { step: step.id, tool: pass, key, running: false };
    let preview: State["preview"] = null; // of one that was stopped
    try {
      const call = passCall(pass, optionsOf(pass, step), this.store.state.other);
      const [model] = (await step.model.run([call], { signal })) as [Model];
      this.#keep({ key, model });
      preview = { ...known, report: passReport(model), refused: null };
    } catch (error) {
      if (!signal.aborted) preview = { ...known, report: reportOf(error), refused: diagnosticsOf(error) };
    }
    this.#running = null;
    this.store.set({ preview });
    if (preview?.refused) this.#leaveSuggestedTool(pass);
  }

  // Leaves a tool that the page suggested and that fails, for the next that needs no second model.
  #leaveSuggestedTool(tool: Tool): void {
    const { step, state } = this.store;
    if (!step || !state.suggested || state.tool !== tool) return;
    const tools = toolsOf(step.about);
    const next = tools.slice(tools.indexOf(tool) + 1).find((each) => each !== "transfer");
    if (next) this.store.set({ tool: next });
  }

  #keep(made: { key: string; model: Model }): void {
    this.#made?.model.close();
    this.#made = made;
  }
}

// A transfer that fails reports the outcome for each variable.
function reportOf(error: unknown): PassReport | null {
  return error instanceof CryographError ? (error.report as PassReport | null) : null;
}
