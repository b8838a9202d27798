import { html, LitElement, nothing } from "lit";
import { bytes, count, counted } from "../words/format.js";
import { kWords } from "../words/words.js";
import type { Scope } from "./scopes.js";

const kMost = 300;

/** The tree of scopes, expanded and chosen from by mouse and by arrow keys. Fires "choose" with a scope's path. */
export class ScopeTree extends LitElement {
  static override properties = { root: { attribute: false }, chosen: {}, open: { state: true }, at: { state: true } };

  declare root: Scope | null;
  declare chosen: string;
  declare open: ReadonlySet<string>;
  /** The path that the Tab key reaches. */
  declare at: string;

  constructor() {
    super();
    this.root = null;
    this.chosen = this.at = "";
    this.open = new Set();
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(): void {
    if (!this.#shown().some(({ path }) => path === this.at)) this.at = this.root?.children[0]?.path ?? "";
  }

  override render() {
    if (!this.root?.children.length) return nothing;
    return html`
      <ul role="tree" class="scopes" aria-label=${kWords.scopes} @keydown=${this.#key}>${this.root.children.slice(0, kMost).map((each) => this.#item(each, 1))}</ul>
      ${this.root.children.length > kMost ? html`<p class="muted small">… and ${count(this.root.children.length - kMost)} more</p>` : nothing}`;
  }

  #item(scope: Scope, level: number): unknown {
    const { path, children } = scope;
    const open = this.open.has(path);
    return html`
      <li role="treeitem" aria-level=${level} aria-selected=${path === this.chosen} aria-expanded=${children.length ? open : nothing}
        tabindex=${path === this.at ? 0 : -1} data-path=${path} aria-labelledby=${idOf(path)}
        @click=${(event: Event) => this.#click(event, scope)}>
        ${this.#line(scope, level)}
        ${open ? html`<ul role="group">${children.slice(0, kMost).map((each) => this.#item(each, level + 1))}</ul>` : nothing}
      </li>`;
  }

  #line({ name, path, children, nodes, bytes: size }: Scope, level: number) {
    const share = this.root!.bytes > 0 ? size / this.root!.bytes : 0;
    return html`
      <div class="scope" id=${idOf(path)} .style=${`--level: ${level}; --share: ${(share * 100).toFixed(1)}%`}>
        <span class="twist" aria-hidden="true">${children.length ? (this.open.has(path) ? "▾" : "▸") : ""}</span>
        <code>${name || "/"}</code>
        <span class="amount">${size > 0 ? bytes(size) : counted(nodes, "node")}</span>
      </div>`;
  }

  #click(event: Event, { path, children }: Scope): void {
    event.stopPropagation();
    this.at = path;
    const twist = (event.target as Element).closest(".twist");
    if (twist && children.length) this.#turn(path, !this.open.has(path));
    else this.#choose(path);
  }

  #choose(path: string): void {
    if (!this.open.has(path)) this.#turn(path, true);
    this.dispatchEvent(new CustomEvent<string>("choose", { detail: path }));
  }

  #turn(path: string, open: boolean): void {
    const all = new Set(this.open);
    if (open) all.add(path);
    else all.delete(path);
    this.open = all;
  }

  #shown(): Scope[] {
    const all: Scope[] = [];
    const add = (scope: Scope) => {
      all.push(scope);
      if (this.open.has(scope.path)) scope.children.slice(0, kMost).forEach(add);
    };
    this.root?.children.slice(0, kMost).forEach(add);
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
        if (here.children.length && !this.open.has(here.path)) this.#turn(here.path, true);
        else void this.#go(here.children[0]?.path);
        break;
      case "ArrowLeft":
        if (this.open.has(here.path)) this.#turn(here.path, false);
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

// Returns the id of a scope's line. It has no spaces, which would separate two ids.
function idOf(path: string): string {
  return `scope-${encodeURIComponent(path)}`;
}

customElements.define("scope-tree", ScopeTree);
