import type { PictureBox, PictureEdge, PictureLayout } from "../engine/engine.js";
import { givesWay } from "./detail.js";
import { Grid } from "./grid.js";
import type { Rect } from "./viewport.js";

const kStubRoom = 16; // CSS pixels above and below a box that its stubs take

/** The far ends of the edges above or below a box that are not drawn as lines. */
export interface Stub {
  above: boolean;
  text: string;
  names: readonly string[];
}

export interface Place {
  x: number;
  y: number;
}

/** A layout in which boxes and edges are found by their place. */
export class Scene {
  /** Lists of stubs, by the ids of their boxes. */
  readonly stubs: ReadonlyMap<number, readonly Stub[]>;
  #boxes: Grid;
  #edges: Grid;

  constructor(readonly layout: PictureLayout) {
    this.stubs = stubsOf(layout);
    this.#boxes = new Grid(layout.boxes.map(rectOf), layout);
    this.#edges = new Grid(layout.edges.map(boundsOf), layout);
  }

  /** Returns the boxes that a part of the picture shows, each after its parent. */
  boxesIn({ x, y, width, height }: Rect): PictureBox[] {
    const part = { x, y: y - kStubRoom, width, height: height + 2 * kStubRoom };
    return this.#boxes.within(part).map((id) => this.layout.boxes[id]!);
  }

  /** Returns the indexes of the edges that a part of the picture may show. */
  edgesIn(part: Rect): number[] {
    return this.#edges.within(part).filter((i) => !this.layout.edges[i]!.stub);
  }

  /** Returns the innermost box at a place that is seen at a scale. */
  boxAt({ x, y }: Place, scale: number): PictureBox | null {
    const boxes = this.#boxes.within({ x, y, width: 0, height: 0 }).map((id) => this.layout.boxes[id]!);
    return boxes.find((box) => givesWay(box, scale)) ?? boxes.at(-1) ?? null;
  }

  /** Returns the edge that is no farther from a place than `reach`. */
  edgeAt({ x, y }: Place, reach: number): PictureEdge | null {
    const near = this.edgesIn({ x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach });
    const edges = near.map((i) => this.layout.edges[i]!);
    return edges.find(({ points }) => distance(points, x, y) <= reach) ?? null;
  }
}

export function rectOf({ x, y, w, h }: PictureBox): Rect {
  return { x, y, width: w, height: h };
}

function boundsOf({ points }: PictureEdge): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    top = Math.min(top, points[i + 1]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// Lines between points are level or upright.
function distance(points: readonly number[], x: number, y: number): number {
  const beyond = (at: number, a: number, b: number) => Math.max(Math.min(a, b) - at, at - Math.max(a, b), 0);
  let least = Infinity;
  for (let i = 0; i + 3 < points.length; i += 2)
    least = Math.min(least, beyond(x, points[i]!, points[i + 2]!) + beyond(y, points[i + 1]!, points[i + 3]!));
  return least;
}

function stubsOf({ boxes, edges }: PictureLayout): Map<number, Stub[]> {
  const ends = { above: new Map<number, number[]>(), below: new Map<number, number[]>() };
  const add = (map: Map<number, number[]>, box: number, end: number) => map.set(box, [...(map.get(box) ?? []), end]);
  for (const { from, to, stub, aside } of edges) {
    if (!stub || aside) continue;
    add(ends.above, to, from);
    add(ends.below, from, to);
  }
  const stubs = new Map<number, Stub[]>();
  for (const side of ["above", "below"] as const) {
    for (const [box, far] of ends[side]) {
      const more = far.length > 1 ? ` +${far.length - 1}` : "";
      const text = `${side === "above" ? "↧" : "↥"} ${boxes[far[0]!]!.label}${more}`;
      const stub = { above: side === "above", text, names: far.map((id) => boxes[id]!.name) };
      stubs.set(box, [...(stubs.get(box) ?? []), stub]);
    }
  }
  return stubs;
}
