import { diagnosticsOf, type Lists, type Report, type What } from "../engine/engine.js";
import { nodeList, type Step, type StepList } from "../state/state.js";
import type { Store } from "../state/store.js";
import { kWords } from "../words/words.js";

const kPause = 20; // milliseconds without a change: a person's requests come first

/** Loads the lists of the current step when they are shown, and those that the outline and the sizes are made of. */
export class ListLoader {
  #asked = new Map<string, AbortController>();
  #stopped = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: Store) {}

  /** To be called after every change of the state. */
  update(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#needAll(), kPause);
  }

  #needAll(): void {
    const { step, state } = this.store;
    if (!step || state.busy) return;
    if (step.about.nodes > 0) this.#need(step, "nodes");
    this.#need(step, "weights");
    const { table, body } = state.browse;
    if (table !== "picture") this.#need(step, table, table === "nodes" ? body : "");
    else if (body) this.#need(step, "nodes", body);
  }

  /** Stops listing; `list`: as Step has it. It is listed again on request. */
  stop({ id }: Step, list: string): void {
    const key = `${id} ${list}`;
    this.#stopped.add(key);
    this.#asked.get(key)?.abort();
    this.store.set({ announcement: kWords.cancelled });
  }

  isStopped({ id }: Step, list: string): boolean {
    return this.#stopped.has(`${id} ${list}`);
  }

  /** Lists again what was stopped. */
  retry({ id }: Step, list: string): void {
    this.#stopped.delete(`${id} ${list}`);
    this.store.set({ announcement: kWords.listing });
  }

  #need(step: Step, what: What, body = ""): void {
    const list = body ? nodeList(body) : what;
    const key = `${step.id} ${list}`;
    if (step.lists[list] || this.#asked.has(key) || this.#stopped.has(key)) return;
    const stop = new AbortController();
    this.#asked.set(key, stop);
    void this.#list(step, what, body, list, stop.signal).finally(() => this.#asked.delete(key));
  }

  async #list(step: Step, what: What, body: string, list: string, signal: AbortSignal): Promise<void> {
    let listed: StepList;
    try {
      listed = await (what === "nodes" ? nodesOf(step, body, signal) : listOf(step, what, signal));
    } catch (error) {
      if ((error as Error).name === "AbortError") return; // this call, or the worker by another's
      listed = { diagnostics: diagnosticsOf(error) };
    }
    this.store.changeStep(step.id, ({ lists }) => ({ lists: { ...lists, [list]: listed } }));
  }
}

async function nodesOf({ model }: Step, body: string, signal: AbortSignal): Promise<StepList> {
  return { diagnostics: [], nodes: await model.nodes({ function: body, signal }) };
}

async function listOf({ model }: Step, what: What, signal: AbortSignal): Promise<StepList> {
  const { diagnostics, weights, functions }: Partial<Lists> & Report = await model.list(what, { signal });
  return { diagnostics, ...(weights && { weights }), ...(functions && { functions }) };
}
