import type { App } from "../app/app.js";
import type { NodeInfo, WeightInfo, What } from "../app/engine.js";
import { nodeList, type Listed, type Looking, type Shown, type Step } from "../app/state.js";
import { diagnosticsOf } from "../app/store.js";
import { kWords } from "../words/words.js";

const kPause = 20; // milliseconds without a change: a person's requests come first

/** Loads the visible parts of the model: lists when they are shown, a node and a weight when they are chosen. */
export class Looker {
  #asked = new Map<string, AbortController>();
  #stopped = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: App) {}

  /** Loads, after every change of the state, the visible list, and the data of the outline and the sizes. */
  follow(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#needAll(), kPause);
  }

  #needAll(): void {
    const { step, state } = this.app;
    if (!step || state.busy) return;
    if (step.about.nodes > 0) this.#need(step, "nodes");
    this.#need(step, "weights");
    const { table, body } = state.looking;
    if (table !== "picture") this.#need(step, table, table === "nodes" ? body : "");
    else if (body) this.#need(step, "nodes", body);
  }

  /** Stops listing; `list`: as Step has it. It is listed again on request. */
  stop({ id }: Step, list: string): void {
    const key = `${id} ${list}`;
    this.#stopped.add(key);
    this.#asked.get(key)?.abort();
    this.app.set({ said: kWords.cancelled });
  }

  isStopped({ id }: Step, list: string): boolean {
    return this.#stopped.has(`${id} ${list}`);
  }

  /** Lists again what was stopped. */
  again({ id }: Step, list: string): void {
    this.#stopped.delete(`${id} ${list}`);
    this.app.set({ said: kWords.listing });
  }

  /** Into the body of a function; "" is out again. */
  enter(body: string): void {
    this.app.set({ view: { ...this.app.state.view, open: null, chosen: "" } });
    const table = this.app.state.looking.table === "picture" ? "picture" : "nodes";
    this.#change({ body, table, filter: "", scope: "", trail: [], at: -1, node: null, weight: null, failure: null });
  }

  show(table: Shown): void {
    this.#change({ table });
  }

  filter(filter: string): void {
    this.#change({ filter });
  }

  /** Chooses a group of the picture. */
  group(name: string, said: string): void {
    this.app.set({ view: { ...this.app.state.view, chosen: name }, said });
    this.#change({ node: null, weight: null, failure: null, trail: [], at: -1 });
  }

  /** Chooses a scope of the main graph on the picture, or filters the tables by it. */
  scope(scope: string): void {
    if (this.app.state.looking.body) this.enter("");
    if (this.app.state.looking.table === "picture") return this.group(scope, scope);
    this.#change({ scope: scope === this.app.state.looking.scope ? "" : scope });
  }

  /** Shows the nodes of a scope of the graph that is looked at. */
  nodesIn(scope: string): void {
    this.#change({ table: "nodes", filter: "", scope });
  }

  /** Shows a table, for actions on tables. */
  toTable(): void {
    if (this.app.state.looking.table === "picture") this.show("nodes");
  }

  /** Shows the nodes of an op that the model card lists. */
  nodesOf(op: string): void {
    this.#change({ table: "nodes", filter: `op:${op}`, scope: "", body: "" });
    this.app.set({ pane: "contents" });
    this.app.arrived("#contents-title");
  }

  /** Shows a node that a list names, of a function's body or of the main graph. */
  async at(name: string, body = ""): Promise<void> {
    if (this.app.state.looking.body !== body) this.enter(body);
    this.app.set({ pane: "inspector" });
    await this.node(name, true);
  }

  /** Shows a node of a called function by the name that it has in place of the call. */
  async called(name: string): Promise<void> {
    const {
      step,
      state: { looking },
    } = this.app;
    const found = step && (await this.#within(step, name, looking.body));
    await this.at(found?.name ?? name, found?.body ?? looking.body);
  }

  // CALL/NODE, where CALL is a node that calls a function, and NODE is one of its body, or again such a name.
  async #within(step: Step, name: string, body: string): Promise<{ name: string; body: string } | null> {
    for (let cut = name.lastIndexOf("/"); cut > 0; cut = name.lastIndexOf("/", cut - 1)) {
      const call = await nodeOf(step, name.slice(0, cut), body);
      const rest = name.slice(cut + 1);
      for (const callee of call?.calls ?? []) {
        const found = (await nodeOf(step, rest, callee))
          ? { name: rest, body: callee }
          : await this.#within(step, rest, callee);
        if (found) return found;
      }
    }
    return null;
  }

  /** Shows a node of the main graph, from the model card. */
  async main(name: string, walked = true): Promise<void> {
    if (this.app.state.looking.body) this.#change({ body: "", trail: [], at: -1 });
    await this.node(name, walked);
  }

  /** `walked`: from one node to the next, so that the focus follows. */
  async node(name: string, walked = false): Promise<void> {
    const {
      step,
      state: { looking },
    } = this.app;
    if (!step) return;
    const trail = walked ? [...looking.trail.slice(0, looking.at + 1), name] : [name];
    this.#change({ trail, at: trail.length - 1 });
    await this.#goTo(step, walked);
  }

  /** Along the way that was walked. */
  async back(by: -1 | 1): Promise<void> {
    const {
      step,
      state: { looking },
    } = this.app;
    if (!step || looking.trail[looking.at + by] === undefined) return;
    this.#change({ at: looking.at + by });
    await this.#goTo(step, true);
  }

  /** Shows a weight that is not a node: of a checkpoint alone. */
  async weight(weight: WeightInfo): Promise<void> {
    if (this.app.state.looking.body) this.#change({ body: "" });
    if (weight.node) await this.node(weight.node);
    else this.#change({ weight, node: null, failure: null, trail: [], at: -1 });
  }

  async #goTo(step: Step, walked: boolean): Promise<void> {
    const { trail, at, body } = this.app.state.looking;
    const name = trail[at]!;
    const mine = () =>
      this.app.step?.id === step.id && this.app.state.looking.trail[this.app.state.looking.at] === name;
    try {
      const { node } = await step.model.node(name, { function: body });
      if (!mine()) return;
      this.#change({ node, weight: body ? null : weightOf(this.app.step!, name), failure: null });
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
      if (mine()) this.#change({ node: null, weight: null, failure: diagnosticsOf(error) });
    }
    if (walked) this.app.arrived("#node-title");
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
    let listed: Listed;
    try {
      listed = await (what === "nodes" ? nodesOf(step, body, signal) : listOf(step, what, signal));
    } catch (error) {
      if ((error as Error).name === "AbortError") return; // this call, or the worker by another's
      listed = { diagnostics: diagnosticsOf(error) };
    }
    this.app.changeStep(step.id, ({ lists }) => ({ lists: { ...lists, [list]: listed } }));
  }

  #change(change: Partial<Looking>): void {
    this.app.set({ looking: { ...this.app.state.looking, ...change } });
  }
}

async function nodesOf({ model }: Step, body: string, signal: AbortSignal): Promise<Listed> {
  return { diagnostics: [], nodes: await model.nodes({ function: body, signal }) };
}

async function listOf({ model }: Step, what: What, signal: AbortSignal): Promise<Listed> {
  const { diagnostics, weights, functions } = await model.list(what, { signal });
  return { diagnostics, ...(weights && { weights }), ...(functions && { functions }) };
}

/** Returns the weight that a node is, if the list is loaded. */
function weightOf({ lists }: Step, name: string): WeightInfo | null {
  return lists["weights"]?.weights?.find(({ node }) => node === name) ?? null;
}

function nodeOf({ model }: Step, name: string, body: string): Promise<NodeInfo | null> {
  return model.node(name, { function: body }).then(
    ({ node }) => node,
    () => null,
  );
}
