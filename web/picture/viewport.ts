/**
 * The position of a picture in its window: the place p of the picture is at `x + scale * p` of the window.
 * Units: CSS pixels.
 */
export interface Viewport {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Size {
  x: number;
  y: number;
}

const kMargin = 16;
const kLeast = 0.02;
const kMax = 4;
/** The least scale at which labels can be read. */
export const kReadable = 0.6;

/** The whole picture, not larger than it is. */
export function fitted(picture: Size, window: Size): Viewport {
  const scale = bounded(Math.min(1, ratio(picture.width, window.width), ratio(picture.height, window.height)));
  return { scale, x: (window.width - scale * picture.width) / 2, y: (window.height - scale * picture.height) / 2 };
}

/** A part of the picture, whole and in the middle, not larger than it is. */
export function fittedOn({ x, y, width, height }: Rect, window: Size): Viewport {
  const view = fitted({ width, height }, window);
  return { ...view, x: view.x - view.scale * x, y: view.y - view.scale * y };
}

/**
 * The whole picture if its labels can be read then; else its upper part, so large that they can, with the place
 * `middle` in the middle as far as that leaves no room unused. A picture that is only too wide is centered vertically.
 */
export function started(picture: Size, window: Size, middle: number): Viewport {
  const whole = fitted(picture, window);
  if (whole.scale >= kReadable) return whole;
  const scale = Math.max(kReadable, Math.min(1, ratio(picture.width, window.width)));
  const ends = [kMargin, window.width - kMargin - scale * picture.width];
  return {
    scale,
    x: Math.min(Math.max(window.width / 2 - scale * middle, Math.min(...ends)), Math.max(...ends)),
    y: Math.max(kMargin, (window.height - scale * picture.height) / 2),
  };
}

/** Larger by `factor`; the place `at` of the window stays where it is. */
export function zoomed(view: Viewport, factor: number, at: { x: number; y: number }): Viewport {
  const scale = bounded(view.scale * factor);
  const by = scale / view.scale;
  return { scale, x: at.x - by * (at.x - view.x), y: at.y - by * (at.y - view.y) };
}

/** Moved, but no further than until the picture's last `kMargin` pixels. */
export function panned(view: Viewport, dx: number, dy: number, picture: Size, window: Size): Viewport {
  const within = (place: number, length: number, room: number) =>
    Math.min(Math.max(place, 3 * kMargin - length), room - 3 * kMargin);
  return {
    scale: view.scale,
    x: within(view.x + dx, view.scale * picture.width, window.width),
    y: within(view.y + dy, view.scale * picture.height, window.height),
  };
}

/** Moved as little as shows `box`, a part of the picture. */
export function revealing(view: Viewport, box: Rect, window: Size): Viewport {
  const along = (place: number, start: number, length: number, room: number) => {
    const [from, to] = [place + view.scale * start, place + view.scale * (start + length)];
    if (from < kMargin || to - from > room - 2 * kMargin) return place + kMargin - from;
    return to > room - kMargin ? place + room - kMargin - to : place;
  };
  return {
    scale: view.scale,
    x: along(view.x, box.x, box.width, window.width),
    y: along(view.y, box.y, box.height, window.height),
  };
}

/** With `box` in the middle, so large that its label can be read. */
export function centered(view: Viewport, box: Rect, window: Size): Viewport {
  const scale = Math.max(view.scale, kReadable);
  return {
    scale,
    x: window.width / 2 - scale * (box.x + box.width / 2),
    y: window.height / 2 - scale * (box.y + box.height / 2),
  };
}

export type Seen = "all" | "part" | "nothing";

/** How much of `box` the window shows; a box that fills the window is seen. */
export function seen({ x, y, scale }: Viewport, box: Rect, window: Size): Seen {
  const along = (from: number, length: number, room: number): Seen => {
    const to = from + scale * length;
    if ((from >= 0 && to <= room) || (from <= 0 && to >= room)) return "all";
    return from < room && to > 0 ? "part" : "nothing";
  };
  const both = [along(x + scale * box.x, box.width, window.width), along(y + scale * box.y, box.height, window.height)];
  return both.includes("nothing") ? "nothing" : both.includes("part") ? "part" : "all";
}

function ratio(length: number, room: number): number {
  return Math.max(room - 2 * kMargin, 1) / Math.max(length, 1);
}

function bounded(scale: number): number {
  return Math.min(Math.max(scale, kLeast), kMax);
}
