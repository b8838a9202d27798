import type { PictureBox, PictureLayout } from "../engine/engine.js";

/** A picture as the core drew it. */
export interface DrawnPicture {
  svg: string;
  layout: PictureLayout;
  /** The graph in it: pictures of the same graph differ in open groups and colors. */
  graph: string;
}

const kTray = /^:[^/]+\//;

/** The scope of a group: its name without the tray that it is in. */
export function scopeOf({ name }: PictureBox): string {
  return name.replace(kTray, "");
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
    if (box.kind !== "node") made.around.set(scopeOf(box), box);
    for (const { name } of box.parameters) if (!made.using.has(name)) made.using.set(name, box);
  }
  closed.set(layout, made);
  return made;
}

/** The matches of a filter on a picture. */
export interface Matches {
  /** The number of matches in each closed box that holds some, by its id. */
  counts: ReadonlyMap<number, number>;
  /** Some matches are in closed boxes that names do not tell: trays and stacks. */
  elsewhere: boolean;
}

export function matchesOf(layout: PictureLayout, names: readonly string[]): Matches {
  const counts = new Map<number, number>();
  let placed = 0;
  for (const name of names) {
    const box = boxOfNode(layout, name);
    if (!box) continue;
    counts.set(box.id, (counts.get(box.id) ?? 0) + 1);
    placed++;
  }
  return { counts, elsewhere: placed < names.length };
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

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

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
