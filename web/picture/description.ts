import type { PictureLayout } from "../engine/engine.js";
import type { BoxMark, EdgeMark } from "./marks.js";
import type { Painting } from "./painting.js";
import type { Rect, Viewport } from "./viewport.js";

/** The state of a canvas as data. Places are those of the window. */
export interface Description {
  layout: PictureLayout;
  view: Viewport;
  /** The marks of boxes that have some, by name, and the number of matches in a group. */
  boxes: { id: number; name: string; marks: readonly BoxMark[]; count: number }[];
  edges: { from: number; to: number; marks: readonly EdgeMark[] }[];
  pins: { text: string; chosen: boolean; place: Rect }[];
}

export function describe({ scene, marks, badges }: Painting, view: Viewport): Description {
  const { layout } = scene;
  const { boxes, edges } = layout;
  return {
    layout,
    view,
    boxes: boxes
      .map((box) => ({ id: box.id, name: box.name, marks: marks.ofBox(box.id), count: marks.count(box) }))
      .filter((each) => each.marks.length > 0),
    edges: edges
      .map(({ from, to }, i) => ({ from, to, marks: marks.ofEdge(i) }))
      .filter((each) => each.marks.length > 0),
    pins: badges.all.map((badge) => ({ text: badge.text, chosen: badge.chosen, place: badges.rectOf(badge, view) })),
  };
}
