import type { App } from "../actions/app.js";
import type { State, Step } from "../state/state.js";
import { hashPart, hashText, hashValue, joinedHash } from "./hash.js";
import { readRecipe } from "./recipe.js";

/** The part of a model that is looked at, in a link. */
interface LinkedView {
  /** The function; "" for the main graph. */
  in: string;
  /** Names of the open groups; null: the usual ones. */
  open: readonly string[] | null;
  /** The selected node, or the group. */
  node: string;
  group: string;
}

const kUsual: LinkedView = { in: "", open: null, node: "", group: "" };
const kPause = 400; // milliseconds without a change; a browser bounds how often an address may change
const kMaxText = 60_000; // bytes of an address

/**
 * Keeps the view in the page's address, and in the browser's history when groups are opened or a function is entered.
 * The view of a link is shown when a model is opened, after the link's recipe.
 */
export class ViewLink {
  #linked: LinkedView | null;
  #after: number;
  #written = { step: -1, shown: "", text: "" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #showing = false;

  constructor(private readonly app: App) {
    this.#linked = readView(location.hash);
    this.#after = readRecipe(location.hash).length;
    addEventListener("popstate", () => void this.#show(readView(location.hash) ?? kUsual));
  }

  /** To be called after every change of the state. */
  update(): void {
    const { app } = this;
    if (!app.step || this.#showing) return;
    if (!this.#linked) {
      clearTimeout(this.#timer);
      if (app.step.id !== this.#written.step) this.#write();
      else this.#timer = setTimeout(() => this.#write(), kPause);
    } else if (app.state.at === this.#after && !app.state.busy) {
      const view = this.#linked;
      this.#linked = null;
      void this.#show(view);
    }
  }

  #write(): void {
    const { step, state } = this.app;
    if (!step || this.#showing) return;
    const view = viewOf(state);
    const [shown, text] = [JSON.stringify([view.in, view.open]), viewText(view)];
    const last = this.#written;
    if (last.step === step.id && last.text === text) return;
    this.#written = { step: step.id, shown, text };
    const { pathname, search, hash } = location;
    const address = pathname + search + joinedHash({ recipe: hashPart(hash, "recipe"), view: text });
    if (last.step === step.id && last.shown !== shown) history.pushState(null, "", address);
    else if (hashPart(hash, "view") !== text) history.replaceState(null, "", address);
  }

  async #show(view: LinkedView): Promise<void> {
    const { app } = this;
    const { step } = app;
    if (!step) {
      this.#linked = view;
      return;
    }
    this.#showing = true;
    try {
      if (view.in && !(await hasFunction(step, view.in))) return;
      if (app.state.browse.body !== view.in) app.browse.enterFunction(view.in);
      app.picture.changeView({ open: view.open });
      if (view.node) await app.browse.showNode(view.node);
      else app.browse.showGroup(view.group, view.group);
    } finally {
      this.#showing = false;
    }
    const shown = viewOf(app.state);
    this.#written = { step: step.id, shown: JSON.stringify([shown.in, shown.open]), text: viewText(shown) };
  }
}

function viewOf({ browse, view }: State): LinkedView {
  const node = browse.trail[browse.at] ?? "";
  return { in: browse.body, open: view.open, node, group: node ? "" : view.chosen };
}

// More open groups than an address can hold are not in it: the usual ones are open then.
function viewText(view: LinkedView): string {
  if (JSON.stringify(view) === JSON.stringify(kUsual)) return "";
  const text = hashText(view);
  return text.length <= kMaxText ? text : hashText({ ...view, open: null });
}

function readView(hash: string): LinkedView | null {
  const view = { ...kUsual, ...(hashValue(hash, "view") as Partial<LinkedView> | undefined) };
  const isOpenList = Array.isArray(view.open) && view.open.every((name) => typeof name === "string");
  const isText = [view.in, view.node, view.group].every((name) => typeof name === "string");
  return hashPart(hash, "view") && isText && (view.open === null || isOpenList) ? view : null;
}

async function hasFunction({ model }: Step, name: string): Promise<boolean> {
  try {
    const { functions } = await model.list("functions");
    return functions.some((each) => each.name === name);
  } catch {
    return false; // the call was stopped, or the model closed
  }
}
