import type { PictureBox, PictureLayout } from "../engine/engine.js";
import { scopeOfGroup } from "../tools/selection.js";

/** A picture as the core drew it. */
export interface DrawnPicture {
  svg: string;
  layout: PictureLayout;
  /** The graph in it: pictures of the same graph differ in open groups and colors. */
  graph: string;
}

/** The closed box that a node is drawn as or in: its own, else that of the innermost group around it. */
export function boxOfNode(layout: PictureLayout, name: string): PictureBox | null {
  const { own, around, using } = closedBoxes(layout);
  let best = own.get(name);
  for (let end = name.lastIndexOf("/"); !best && end > 0; end = name.lastIndexOf("/", end - 1))
    best = around.get(name.slice(0, end));
  return best ?? using.get(name) ?? null;
}

/** The closed boxes of a picture: by their names, by the scopes of groups, and by the weights that are lines of them. */
type ClosedBoxes = Record<"own" | "around" | "using", Map<string, PictureBox>>;
const closed = new WeakMap<PictureLayout, ClosedBoxes>();

function closedBoxes(layout: PictureLayout): ClosedBoxes {
  const kept = closed.get(layout);
  if (kept) return kept;
  const made: ClosedBoxes = { own: new Map(), around: new Map(), using: new Map() };
  for (const box of layout.boxes.filter(({ open }) => !open)) {
    if (!made.own.has(box.name)) made.own.set(box.name, box);
    if (box.kind !== "node") made.around.set(scopeOfGroup(box.name), box);
    for (const { name } of box.parameters) if (!made.using.has(name)) made.using.set(name, box);
  }
  closed.set(layout, made);
  return made;
}

/** Nodes that are marked on a picture: those that a filter finds, or a trace has. */
export interface Matches {
  /** The number of matches in each closed box that holds some, by its id. */
  counts: ReadonlyMap<number, number>;
  /** Some matches are in closed boxes that names do not tell: trays and stacks. */
  elsewhere: boolean;
  /** Edges between boxes that hold matches are marked too. */
  connected: boolean;
}

export function matchesOf(layout: PictureLayout, names: readonly string[], connected: boolean): Matches {
  const counts = new Map<number, number>();
  const called = openCalls(layout);
  let placed = 0;
  for (const name of names) {
    const boxes = called.get(name) ?? [boxOfNode(layout, name)];
    for (const box of boxes) if (box) counts.set(box.id, (counts.get(box.id) ?? 0) + 1);
    if (boxes[0]) placed++;
  }
  return { counts, elsewhere: placed < names.length, connected };
}

// The closed boxes in each open group that has no node of its own name: of a call, they are what is called.
function openCalls({ boxes }: PictureLayout): Map<string, PictureBox[]> {
  const called = new Map<string, PictureBox[]>();
  const nodes = new Set(boxes.filter(({ open }) => !open).map(({ name }) => name));
  for (const box of boxes.filter(({ open }) => !open)) {
    for (let at = boxes[box.parent]; at; at = boxes[at.parent]) {
      if (nodes.has(at.name)) continue;
      const inside = called.get(at.name) ?? [];
      inside.push(box);
      called.set(at.name, inside);
    }
  }
  return called;
}

/** The box of a scope: its own, else the closed one around it, else the first one within. */
export function boxOfScope(layout: PictureLayout, path: string): PictureBox | null {
  return (
    boxNamed(layout, path) ??
    boxOfNode(layout, path) ??
    layout.boxes.find(({ name }) => name.startsWith(`${path}/`)) ??
    null
  );
}

/** The box with a name: of a group and a node that share it, the group. */
export function boxNamed({ boxes }: PictureLayout, name: string): PictureBox | null {
  return boxes.find((box) => box.name === name) ?? null;
}

const kDirections = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const;
export type Direction = (typeof kDirections)[number];

export function isDirection(key: string): key is Direction {
  return (kDirections as readonly string[]).includes(key);
}

/** The next box from one: along an edge upwards or downwards, or the nearest one to its left or right. Null: there is none. */
export function neighbour({ boxes, edges }: PictureLayout, from: PictureBox, to: Direction): PictureBox | null {
  if (to === "ArrowDown")
    return nearest(
      from,
      edges.filter((edge) => edge.from === from.id).map((edge) => boxes[edge.to]!),
    );
  if (to === "ArrowUp")
    return nearest(
      from,
      edges.filter((edge) => edge.to === from.id).map((edge) => boxes[edge.from]!),
    );
  const right = to === "ArrowRight";
  const row = boxes.filter(
    (box) =>
      !box.open && box.y < from.y + from.h && from.y < box.y + box.h && (right ? box.x > from.x : box.x < from.x),
  );
  return nearest(from, row);
}

function nearest(from: PictureBox, all: readonly PictureBox[]): PictureBox | null {
  const far = (box: PictureBox) => Math.hypot(box.x + box.w / 2 - from.x - from.w / 2, box.y - from.y);
  return all.reduce<PictureBox | null>(
    (best, box) => (box !== from && (!best || far(box) < far(best)) ? box : best),
    null,
  );
}

/** The first box of the way through the model, to start from. */
export function firstBox({ boxes }: PictureLayout): PictureBox | null {
  const closed = boxes.filter(({ open, kind }) => !open && kind !== "tray");
  return closed.reduce<PictureBox | null>((best, box) => (!best || box.y < best.y ? box : best), null);
}
