import { nothing, render } from "lit";
import { type ChildPart, Directive, directive } from "lit/directive.js";
import { clearPart, getCommittedValue, insertPart, setCommittedValue } from "lit/directive-helpers.js";

/** Content that is not shown: its elements, out of the page, and how far they were scrolled. */
interface Parked {
  root: ChildPart;
  scrolled: readonly { element: Element; top: number; left: number }[];
}

class Kept extends Directive {
  #shown: unknown = undefined;
  #parked = new Map<unknown, Parked>();

  override render(_key: unknown, _keys: readonly unknown[], content: unknown) {
    return [content];
  }

  override update(part: ChildPart, [key, keys, content]: [unknown, readonly unknown[], unknown]) {
    if (this.#shown !== undefined && this.#shown !== key) this.#swap(part, key, keys);
    this.#shown = key;
    for (const each of this.#parked.keys()) if (!keys.includes(each)) this.#parked.delete(each);
    return this.render(key, keys, content);
  }

  #swap(part: ChildPart, key: unknown, keys: readonly unknown[]): void {
    const [old] = getCommittedValue(part) as ChildPart[];
    if (old && keys.includes(this.#shown)) this.#parked.set(this.#shown, park(old));
    clearPart(part);
    setCommittedValue(part, []);
    const kept = this.#parked.get(key);
    this.#parked.delete(key);
    if (kept) show(part, kept);
  }
}

function park(old: ChildPart): Parked {
  const scrolled = scrolledElements(old);
  const root = render(nothing, document.createDocumentFragment()) as unknown as ChildPart;
  setCommittedValue(root, [old]);
  insertPart(root, undefined, old);
  return { root, scrolled };
}

function show(part: ChildPart, { root, scrolled }: Parked): void {
  const [child] = getCommittedValue(root) as [ChildPart];
  insertPart(part, undefined, child);
  setCommittedValue(part, [child]);
  for (const { element, top, left } of scrolled) element.scrollTo({ top, left, behavior: "instant" });
}

// Elements that leave the page forget how far they were scrolled.
function scrolledElements({ startNode, endNode }: ChildPart): Parked["scrolled"] {
  const all: Element[] = [];
  for (let node = startNode; node && node !== endNode; node = node.nextSibling)
    if (node instanceof Element) all.push(node, ...node.querySelectorAll("*"));
  return all
    .filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0)
    .map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }));
}

/**
 * Shows one of several contents, by its key, and keeps the elements of the others out of the page: their folds, sorted
 * columns and scrolled places are as they were when they are shown again. `keys`: of those to keep.
 */
export const kept = directive(Kept);
