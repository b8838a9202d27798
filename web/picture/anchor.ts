import type { PictureBox, PictureLayout } from "../engine/engine.js";
import { boxNamed } from "./drawn.js";
import type { Place } from "./scene.js";
import type { Size, Viewport } from "./viewport.js";

/** A place of a box that stays where it is in the window when the picture is laid out again. */
export interface Anchor {
  name: string;
  /** The part of the box's width that is left of the place, and of its height above. */
  part: Place;
  /** The place in the window. */
  at: Place;
}

/** Returns an anchor at a box's upper left corner. */
export function cornerOf({ name, x, y }: PictureBox, view: Viewport): Anchor {
  return { name, part: { x: 0, y: 0 }, at: { x: view.x + view.scale * x, y: view.y + view.scale * y } };
}

/** Returns an anchor at the point of a box that is nearest to a place of the window. */
export function pointOf({ name, x, y, w, h }: PictureBox, view: Viewport, at: Place): Anchor {
  const part = (place: number, start: number, length: number) =>
    Math.min(1, Math.max(0, (place - start) / (view.scale * length)));
  return { name, part: { x: part(at.x, view.x + view.scale * x, w), y: part(at.y, view.y + view.scale * y, h) }, at };
}

/** Returns the place of a layout at which an anchor is where it was; null without its box. */
export function anchored({ name, part, at }: Anchor, layout: PictureLayout, scale: number): Viewport | null {
  const box = boxNamed(layout, name);
  if (!box) return null;
  return { scale, x: at.x - scale * (box.x + part.x * box.w), y: at.y - scale * (box.y + part.y * box.h) };
}

/** Returns an anchor that two layouts share: at the box `chosen`, by its name, else at the one nearest to the window's middle. */
export function sharedAnchor(
  { boxes }: PictureLayout,
  next: PictureLayout,
  chosen: string | undefined,
  view: Viewport,
  window: Size,
): Anchor | null {
  const names = new Set(next.boxes.map(({ name }) => name));
  const shared = boxes.filter(({ name }) => names.has(name));
  const far = ({ x, y, w, h }: PictureBox) =>
    Math.hypot(
      view.x + view.scale * (x + w / 2) - window.width / 2,
      view.y + view.scale * (y + h / 2) - window.height / 2,
    );
  const box =
    shared.find(({ name }) => name === chosen) ??
    shared.reduce<PictureBox | null>((best, each) => (!best || far(each) < far(best) ? each : best), null);
  return box && cornerOf(box, view);
}
