import { diagnosticsOf } from "../engine/engine.js";
import type { NodeInfo, WeightInfo } from "../engine/engine.js";
import type { BrowseState, ContentsTab, Step } from "../state/state.js";
import type { App } from "./app.js";

/** Chooses what of the model is shown: a table or the picture, its filters, a node or a weight. */
export class BrowseActions {
  constructor(private readonly app: App) {}

  /** Into the body of a function; "" is out again. */
  enterFunction(body: string): void {
    this.app.set({ view: { ...this.app.state.view, open: null, chosen: "" } });
    const table = this.app.state.browse.table === "picture" ? "picture" : "nodes";
    this.#change({ body, table, filter: "", scope: "", trail: [], at: -1, node: null, weight: null, failure: null });
  }

  showTab(table: ContentsTab): void {
    this.#change({ table });
  }

  filterBy(filter: string): void {
    this.#change({ filter });
  }

  /** Chooses a group of the picture. */
  showGroup(name: string, announcement: string): void {
    this.app.set({ view: { ...this.app.state.view, chosen: name }, announcement });
    this.#change({ node: null, weight: null, failure: null, trail: [], at: -1 });
  }

  /** Chooses a scope of the main graph on the picture, or filters the tables by it. */
  showScope(scope: string): void {
    if (this.app.state.browse.body) this.enterFunction("");
    if (this.app.state.browse.table === "picture") return this.showGroup(scope, scope);
    this.#change({ scope: scope === this.app.state.browse.scope ? "" : scope });
  }

  /** Shows the nodes of a scope of the graph that is looked at. */
  listNodesOf(scope: string): void {
    this.#change({ table: "nodes", filter: "", scope });
  }

  /** Shows a table, for actions on tables. */
  leavePicture(): void {
    if (this.app.state.browse.table === "picture") this.showTab("nodes");
  }

  /** Shows the nodes of an op that the model card lists. */
  listNodesOfOp(op: string): void {
    this.#listNodes(`op:${op}`);
  }

  /** Marks the nodes of ops of the main graph on the picture, or lists them where a table is shown. */
  markNodesOf(ops: readonly string[]): void {
    const filter = `op:${ops.join()}`;
    if (this.app.state.browse.table !== "picture") return this.#listNodes(filter);
    if (this.app.state.browse.body) this.enterFunction("");
    this.#change({ filter });
    this.app.set({ pane: "contents" });
  }

  #listNodes(filter: string): void {
    this.#change({ table: "nodes", filter, scope: "", body: "" });
    this.app.set({ pane: "contents" });
    this.app.focusOn("#contents-title");
  }

  /** Shows a node that a list names, of a function's body or of the main graph. */
  async goToNode(name: string, body = ""): Promise<void> {
    if (this.app.state.browse.body !== body) this.enterFunction(body);
    this.app.set({ pane: "inspector" });
    await this.showNode(name, true);
  }

  /** Shows a node of a called function by the name that it has in place of the call. */
  async goToCalledNode(name: string): Promise<void> {
    const {
      step,
      state: { browse },
    } = this.app;
    const found = step && (await this.#within(step, name, browse.body));
    await this.goToNode(found?.name ?? name, found?.body ?? browse.body);
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
  async showMainNode(name: string, walked = true): Promise<void> {
    if (this.app.state.browse.body) this.#change({ body: "", trail: [], at: -1 });
    await this.showNode(name, walked);
  }

  /** `walked`: from one node to the next, so that the focus follows. */
  async showNode(name: string, walked = false): Promise<void> {
    const {
      step,
      state: { browse },
    } = this.app;
    if (!step) return;
    const trail = walked ? [...browse.trail.slice(0, browse.at + 1), name] : [name];
    this.#change({ trail, at: trail.length - 1 });
    await this.#goTo(step, walked);
  }

  /** Along the way that was walked. */
  async walk(by: -1 | 1): Promise<void> {
    const {
      step,
      state: { browse },
    } = this.app;
    if (!step || browse.trail[browse.at + by] === undefined) return;
    this.#change({ at: browse.at + by });
    await this.#goTo(step, true);
  }

  /** Shows a weight that is not a node: of a checkpoint alone. */
  async showWeight(weight: WeightInfo): Promise<void> {
    if (this.app.state.browse.body) this.#change({ body: "" });
    if (weight.node) await this.showNode(weight.node);
    else this.#change({ weight, node: null, failure: null, trail: [], at: -1 });
  }

  async #goTo(step: Step, walked: boolean): Promise<void> {
    const { trail, at, body } = this.app.state.browse;
    const name = trail[at]!;
    const mine = () => this.app.step?.id === step.id && this.app.state.browse.trail[this.app.state.browse.at] === name;
    try {
      const { node } = await step.model.node(name, { function: body });
      if (!mine()) return;
      this.#change({ node, weight: body ? null : weightOf(this.app.step!, name), failure: null });
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
      if (mine()) this.#change({ node: null, weight: null, failure: diagnosticsOf(error) });
    }
    if (walked) this.app.focusOn("#node-title");
  }

  #change(change: Partial<BrowseState>): void {
    this.app.set({ browse: { ...this.app.state.browse, ...change } });
  }
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
