import type { PictureBox } from "../engine/engine.js";
import type { Theme } from "../state/state.js";
import { kColorWords } from "../words/picture.js";
import type { DrawnPicture, Matches } from "./drawn.js";
import { PinLayer } from "./pin_layer.js";
import { placedPins, type BoxPins, type Pin } from "./pins.js";

const kStyle = /<style>([^]*?)<\/style>/;
const kMaxColors = 10;

/** A color of the picture: the class that gives it, and its word. */
export interface LegendRow {
  name: string;
  word: string;
}

/** Marks on boxes, by id. */
export interface Decoration {
  chosen: number;
  pins: readonly Pin[];
  marks: readonly string[] | null;
  /** Null: there is no filter. */
  found: Matches | null;
}

/** The svg of a picture in the document, and the elements of its boxes and edges. */
export class Stage {
  /** The svg's own style: the page's policy takes one from a script alone. */
  readonly sheet = new CSSStyleSheet();
  /** The text of it, for the system's or the page's theme. */
  style = "";
  #drawn: DrawnPicture | null = null;
  #groups: (SVGElement | null)[] = [];
  #pins = new PinLayer();
  #edges: { element: SVGElement; from: number; to: number }[] = [];

  /** Puts the svg into `place`. Its dark colors follow the page's theme. */
  paint(drawn: DrawnPicture, theme: Theme, place: HTMLElement): void {
    const [, style = ""] = kStyle.exec(drawn.svg) ?? [];
    const dark = { system: "(prefers-color-scheme:dark)", light: "not all", dark: "all" }[theme];
    this.style = style.replace("(prefers-color-scheme:dark)", dark);
    this.sheet.replaceSync(this.style);
    const svg = new DOMParser().parseFromString(drawn.svg.replace(kStyle, ""), "image/svg+xml").documentElement;
    svg.querySelector(":scope > title")?.remove();
    svg.removeAttribute("role");
    svg.setAttribute("aria-hidden", "true"); // the outline and the tables say the same
    place.replaceChildren(document.adoptNode(svg));
    this.#pins.enter(place.firstElementChild!);
    this.#drawn = drawn;
    this.#groups = drawn.layout.boxes.map(({ id }) => place.querySelector<SVGElement>(`#b${id}`));
    this.#edges = Array.from(place.querySelectorAll<SVGElement>("[data-ends]"), (element) => {
      const [from, to] = element.dataset["ends"]!.split(" ").map(Number);
      return { element, from: from!, to: to! };
    });
  }

  /** The colors that the picture has. Groups of equal structure share one that has no word. */
  legend(): LegendRow[] {
    const words = new Map<string, string>();
    for (const { id, color, open } of this.#drawn?.layout.boxes ?? []) {
      const name = this.#groups[id]?.classList[0];
      if (!open && name && color && color !== "group" && !color.startsWith("structure"))
        words.set(name, kColorWords[color] ?? color);
    }
    return [...words].slice(0, kMaxColors).map(([name, word]) => ({ name, word }));
  }

  decorate({ chosen, pins, marks, found }: Decoration): void {
    if (!this.#drawn) return;
    const { layout } = this.#drawn;
    const placed = placedPins(layout, pins);
    const pinned = new Set(placed.filter(({ way }) => way === "output").map(({ box }) => box));
    this.#pins.show(placed, layout);
    for (const [i, group] of this.#groups.entries()) {
      const mark = marks?.[i];
      const { open } = layout.boxes[i]!;
      group?.classList.toggle("chosen", i === chosen);
      group?.classList.toggle("pinned", pinned.has(i));
      group?.classList.toggle("would-go", mark === "added" && !open);
      group?.classList.toggle("would-change", mark === "changed" && !open);
    }
    this.#mark(found);
    const around = new Set<number>();
    for (const { element, from, to } of this.#edges) {
      const on = found?.connected && found.counts.has(from) && found.counts.has(to);
      const lit = from === chosen || to === chosen;
      if (lit) around.add(from).add(to);
      for (const each of [element, headOf(element)]) each?.classList.toggle("faded", found !== null && !on);
      element.classList.toggle("traced", on === true);
      element.classList.toggle("lit", lit);
      element.classList.toggle("would-go", marks?.[from] === "added" || marks?.[to] === "added");
    }
    for (const [i, group] of this.#groups.entries()) group?.classList.toggle("near", around.has(i) && i !== chosen);
  }

  // Boxes that hold matches have their number at the upper right corner. Others fade, unless matches may be in them.
  #mark(matches: Matches | null): void {
    for (const [i, group] of this.#groups.entries()) {
      const { open, kind, x, y, w } = this.#drawn!.layout.boxes[i]!;
      const held = matches?.counts.get(i) ?? 0;
      group?.classList.toggle(matches?.connected ? "on" : "match", held > 0);
      group?.classList.toggle(matches?.connected ? "match" : "on", false);
      group?.classList.toggle(
        "faded",
        !open && matches !== null && held === 0 && (kind === "node" || !matches.elsewhere),
      );
      group?.querySelector(":scope > .count")?.remove();
      if (!group || held === 0 || kind === "node") continue;
      const count = document.createElementNS("http://www.w3.org/2000/svg", "text");
      count.classList.add("count");
      count.setAttribute("x", String(x + w - 6));
      count.setAttribute("y", String(y + 4));
      count.textContent = String(held);
      group.append(count);
    }
  }

  groupOf(id: number): Element | null {
    return this.#groups[id] ?? null;
  }

  pinsAt(event: Event): BoxPins | null {
    return this.#pins.at(event);
  }

  boxAt(event: Event): PictureBox | null {
    return boxAt(event, this.#drawn!);
  }
}

/** Returns the box that an event on a picture is for. */
export function boxAt(event: Event, { layout }: DrawnPicture): PictureBox | null {
  const group = event
    .composedPath()
    .find((each): each is SVGElement => each instanceof SVGElement && /^b\d+$/.test(each.id));
  return group ? layout.boxes[Number(group.id.slice(1))]! : null;
}

// The head of an edge is the next element.
function headOf({ nextElementSibling: next }: SVGElement): Element | null {
  return next?.classList.contains("head") ? next : null;
}
