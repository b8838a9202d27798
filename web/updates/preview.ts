import { CryographError, type Model, type PassReport } from "../engine/engine.js";
import { diagnosticsOf } from "../engine/engine.js";
import type { Pass, Preview, State, Step, Tab, Tool } from "../state/state.js";
import type { Store } from "../state/store.js";
import { secondOf } from "../state/tabs.js";
import { isIncomplete, optionsOf, secondOption, toolsOf } from "../tools/options.js";
import { passCall, passReport } from "../tools/pass_call.js";

const kPause = 120; // milliseconds without a change, before something is tried
const kPatience = 300; // milliseconds that an action waits for a preview to finish
// Models with more nodes are previewed only on request.
const kMaxNodes = 200_000;

const kIds = new WeakMap<Model, number>(); // of second models
let ids = 0;

interface Running {
  key: string;
  step: number;
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
 * is kept for each tab, so that applying the tool only takes it.
 */
export class PreviewRunner {
  #made = new Map<number, { key: string; model: Model }>(); // by the tab
  #running: Running | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: Store) {}

  /** To be called after every change of the state. `asked`: by a person, whatever it costs. */
  update(asked = false): void {
    clearTimeout(this.#timer);
    const wanted = this.#wanted(asked);
    if (wanted?.key === (this.#running?.key ?? this.store.state.preview?.key)) return;
    // Its end is a change, which calls this function again. One of another tab is not stopped, for all would lose the worker.
    if (this.#running) return this.store.tabOf(this.#running.step) === this.store.state.tab ? this.yield() : undefined;
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
    return about.nodes > kMaxNodes || (tool === "transfer" && (choice.texts["match"] ?? "").includes("value"));
  }

  /** Returns the key of a preview: of a step, a pass with its options, and the second model. */
  keyOf(step: Step, pass: Pass, options = optionsOf(pass as Tool, step)): string {
    const other = secondOf(this.store.state)?.model;
    if (other && !kIds.has(other)) kIds.set(other, ++ids);
    return JSON.stringify([step.id, pass, options, other && secondOption(pass, options) ? kIds.get(other) : 0]);
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
    for (const [tab, made] of this.#made) if (made.key === key && this.#made.delete(tab)) return made.model;
    return null;
  }

  /** Returns the model of the preview with this key, as long as it is there; it may be closed at any time. */
  model(key: string): Model | null {
    return [...this.#made.values()].find((made) => made.key === key)?.model ?? null;
  }

  /** Frees what is kept for a tab. */
  forget({ tab }: Tab): void {
    this.#made.get(tab)?.model.close();
    this.#made.delete(tab);
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
    if (isIncomplete(tool, step, secondOf(state))) return null;
    return { key: this.keyOf(step, tool), step, pass: tool };
  }

  #run(wanted: PreviewRequest): void {
    const stop = new AbortController();
    const { key, step, pass: tool } = wanted;
    const last = this.last(step, tool);
    this.#running = { key, step: step.id, stop, done: Promise.resolve().then(() => this.#try(wanted, stop.signal)) };
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
      const call = passCall(pass, optionsOf(pass, step), secondOf(this.store.state));
      const [model] = (await step.model.run([call], { signal })) as [Model];
      this.#keep(step, { key, model });
      preview = { ...known, report: passReport(model), refused: null };
    } catch (error) {
      if (!signal.aborted) preview = { ...known, report: reportOf(error), refused: diagnosticsOf(error) };
    }
    this.#running = null;
    const tab = this.store.tabOf(step.id);
    if (tab === null) return this.store.set({}); // it was closed; another preview may wait
    this.store.setIn(tab, { preview });
    if (preview?.refused && tab === this.store.state.tab) this.#leaveSuggestedTool(pass);
  }

  // Leaves a tool that the page suggested and that fails, for the next that needs no second model.
  #leaveSuggestedTool(tool: Tool): void {
    const { step, state } = this.store;
    if (!step || !state.suggested || state.tool !== tool) return;
    const tools = toolsOf(step.about);
    const next = tools.slice(tools.indexOf(tool) + 1).find((each) => each !== "transfer");
    if (next) this.store.set({ tool: next });
  }

  #keep({ id }: Step, made: { key: string; model: Model }): void {
    const tab = this.store.tabOf(id);
    if (tab === null) return made.model.close();
    this.#made.get(tab)?.model.close();
    this.#made.set(tab, made);
  }
}

// A transfer that fails reports the outcome for each variable.
function reportOf(error: unknown): PassReport | null {
  return error instanceof CryographError ? (error.report as PassReport | null) : null;
}
