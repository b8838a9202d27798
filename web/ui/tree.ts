import { html, LitElement, nothing, type PropertyValues } from "lit";
import { count } from "./format.js";

const kMax = 300;

/** A branch of a tree. */
export interface Branch {
  name: string;
  /** Names from the root, with '/': unique. */
  path: string;
  children: readonly Branch[];
}

/** The amount next to a branch's name, and its share of the root's, from 0 to 1. */
export interface Amount {
  text: string;
  share: number;
}

/** A tree, expanded and chosen from by mouse and by arrow keys. Fires "choose" with a branch's path. */
export class TreeView extends LitElement {
  static override properties = {
    root: { attribute: false },
    amountOf: { attribute: false },
    label: {},
    chosen: {},
    unfolded: { attribute: false },
    open: { state: true },
    closed: { state: true },
    at: { state: true },
  };

  declare root: Branch | null;
  declare label: string;
  declare amountOf: (branch: Branch) => Amount;
  declare chosen: string;
  /** Branches are open unless a person closed them. */
  declare unfolded: boolean;
  declare open: ReadonlySet<string>;
  /** The closed branches of an unfolded tree. */
  declare closed: ReadonlySet<string>;
  /** The path that the Tab key reaches. */
  declare at: string;

  constructor() {
    super();
    this.root = null;
    this.chosen = this.label = this.at = "";
    this.unfolded = false;
    this.open = this.closed = new Set();
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("root")) this.closed = new Set();
    if (!this.#shown().some(({ path }) => path === this.at)) this.at = this.root?.children[0]?.path ?? "";
  }

  override render() {
    if (!this.root?.children.length) return nothing;
    return html`
      <ul role="tree" class="scopes" aria-label=${this.label} @keydown=${this.#key}>${this.root.children.slice(0, kMax).map((each) => this.#item(each, 1))}</ul>
      ${this.root.children.length > kMax ? html`<p class="muted small">… and ${count(this.root.children.length - kMax)} more</p>` : nothing}`;
  }

  #item(branch: Branch, level: number): unknown {
    const { path, children } = branch;
    const open = this.#isOpen(path);
    return html`
      <li role="none">
        ${this.#line(branch, level, open)}
        ${open ? html`<ul role="group">${children.slice(0, kMax).map((each) => this.#item(each, level + 1))}</ul>` : nothing}
      </li>`;
  }

  // The item is its line alone: its name is what it shows.
  #line(branch: Branch, level: number, open: boolean) {
    const { name, path, children } = branch;
    const { text, share } = this.amountOf(branch);
    return html`
      <div class="scope" role="treeitem" aria-level=${level} aria-selected=${path === this.chosen} aria-expanded=${children.length ? open : nothing}
        tabindex=${path === this.at ? 0 : -1} data-path=${path} @click=${(event: Event) => this.#click(event, branch)}
        .style=${`--level: ${level}; --share: ${(share * 100).toFixed(1)}%`}>
        <span class="twist" aria-hidden="true">${children.length ? (open ? "▾" : "▸") : ""}</span>
        <code>${name || "/"}</code>
        <span class="amount">${text}</span>
      </div>`;
  }

  #click(event: Event, { path, children }: Branch): void {
    this.at = path;
    const twist = (event.target as Element).closest(".twist");
    if (twist && children.length) this.#turn(path, !this.#isOpen(path));
    else this.#choose(path);
  }

  #choose(path: string): void {
    if (!this.#isOpen(path)) this.#turn(path, true);
    this.dispatchEvent(new CustomEvent<string>("choose", { detail: path }));
  }

  #turn(path: string, open: boolean): void {
    const all = new Set(this.unfolded ? this.closed : this.open);
    if (open !== this.unfolded) all.add(path);
    else all.delete(path);
    if (this.unfolded) this.closed = all;
    else this.open = all;
  }

  #isOpen(path: string): boolean {
    return this.unfolded ? !this.closed.has(path) : this.open.has(path);
  }

  #shown(): Branch[] {
    const all: Branch[] = [];
    const add = (branch: Branch) => {
      all.push(branch);
      if (this.#isOpen(branch.path)) branch.children.slice(0, kMax).forEach(add);
    };
    this.root?.children.slice(0, kMax).forEach(add);
    return all;
  }

  #key(event: KeyboardEvent): void {
    const shown = this.#shown();
    const at = shown.findIndex(({ path }) => path === this.at);
    const here = shown[at];
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    const parent = here.path.slice(0, -here.name.length - 1);
    switch (event.key) {
      case "ArrowDown":
        void this.#go(shown[at + 1]?.path);
        break;
      case "ArrowUp":
        void this.#go(shown[at - 1]?.path);
        break;
      case "Home":
        void this.#go(shown[0]?.path);
        break;
      case "End":
        void this.#go(shown.at(-1)?.path);
        break;
      case "ArrowRight":
        if (here.children.length && !this.#isOpen(here.path)) this.#turn(here.path, true);
        else void this.#go(here.children[0]?.path);
        break;
      case "ArrowLeft":
        if (this.#isOpen(here.path)) this.#turn(here.path, false);
        else void this.#go(parent || undefined);
        break;
      case "Enter":
      case " ":
        this.#choose(here.path);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  async #go(path: string | undefined): Promise<void> {
    if (path === undefined) return;
    this.at = path;
    await this.updateComplete;
    this.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }
}

customElements.define("tree-view", TreeView);
