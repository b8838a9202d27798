import type { PictureBox, PictureLayout } from "../engine/engine.js";
import type { Matches } from "./drawn.js";

/** Marks of a box, from the one whose outline shows to those that another one covers; the last two fade it. */
export const kBoxMarks = ["chosen", "match", "near", "on", "pinned", "would-change", "would-go", "faded"] as const;
export type BoxMark = (typeof kBoxMarks)[number];

export const kEdgeMarks = ["lit", "traced", "would-go", "faded"] as const;
export type EdgeMark = (typeof kEdgeMarks)[number];

/** The state of a picture that its marks show. */
export interface Marked {
  /** The id of the chosen box; -1: none. */
  chosen: number;
  /** The ids of boxes that have a pin of an output. */
  pinned: ReadonlySet<number>;
  /** The tool's effect on boxes, by id. */
  marks: readonly string[] | null;
  /** Null: there is no filter. */
  found: Matches | null;
}

/** The marks of a picture's boxes, by id, and edges, by index. */
export class Marks {
  readonly #boxes: MarkTable<BoxMark>;
  readonly #edges: MarkTable<EdgeMark>;
  readonly #found: Matches | null;

  constructor(layout: PictureLayout, state: Marked) {
    this.#boxes = new MarkTable(kBoxMarks, layout.boxes.length);
    this.#edges = new MarkTable(kEdgeMarks, layout.edges.length);
    this.#found = state.found;
    this.#markBoxes(layout, state);
    this.#markEdges(layout, state);
  }

  ofBox(id: number): readonly BoxMark[] {
    return this.#boxes.of(id);
  }

  ofEdge(index: number): readonly EdgeMark[] {
    return this.#edges.of(index);
  }

  /** Returns the number of matches in a group; 0 for a node. */
  count({ id, kind }: PictureBox): number {
    return kind === "node" ? 0 : (this.#found?.counts.get(id) ?? 0);
  }

  #markBoxes({ boxes }: PictureLayout, { chosen, pinned, marks, found }: Marked): void {
    for (const { id, open, kind } of boxes) {
      const held = found?.counts.get(id) ?? 0;
      const mark = (name: BoxMark, is: boolean) => is && this.#boxes.add(id, name);
      mark("chosen", id === chosen);
      mark("pinned", pinned.has(id));
      mark("would-go", marks?.[id] === "added" && !open);
      mark("would-change", marks?.[id] === "changed" && !open);
      mark(found?.connected ? "on" : "match", held > 0);
      mark("faded", !open && found !== null && held === 0 && (kind === "node" || !found.elsewhere));
    }
  }

  #markEdges({ edges }: PictureLayout, { chosen, marks, found }: Marked): void {
    for (const [i, { from, to, stub }] of edges.entries()) {
      if (stub) continue;
      const isTraced = found?.connected === true && found.counts.has(from) && found.counts.has(to);
      const isLit = from === chosen || to === chosen;
      const mark = (name: EdgeMark, is: boolean) => is && this.#edges.add(i, name);
      mark("traced", isTraced);
      mark("faded", found !== null && !isTraced);
      mark("lit", isLit);
      mark("would-go", marks?.[from] === "added" || marks?.[to] === "added");
      if (isLit && from !== to) this.#boxes.add(from === chosen ? to : from, "near");
    }
  }
}

const kNone: readonly never[] = [];

// A set of names for each of many things, as bits.
class MarkTable<Name extends string> {
  readonly #bits: Uint8Array;

  constructor(
    private readonly names: readonly Name[],
    size: number,
  ) {
    this.#bits = new Uint8Array(size);
  }

  add(at: number, name: Name): void {
    this.#bits[at]! |= 1 << this.names.indexOf(name);
  }

  of(at: number): readonly Name[] {
    const bits = this.#bits[at] ?? 0;
    return bits === 0 ? kNone : this.names.filter((_, i) => bits & (1 << i));
  }
}
