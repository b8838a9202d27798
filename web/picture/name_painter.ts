import type { PictureBox } from "../engine/engine.js";
import { kNameSize } from "./detail.js";
import type { Pen } from "./pen.js";
import type { Rect } from "./viewport.js";

const kLeft = 12; // CSS pixels at zoom 1, from a frame's left side to its name
const kBaseline = 19; // from its top
const kPadding = 4; // CSS pixels on the screen, around a name
const kLeastRoom = 30; // of a name
const kBorder = 1.5;
const kPlateOpacity = 0.9; // of the ground below a name

/** Draws the names of open groups over what is in them. A name stays in sight as long as a part of its group is. */
export function paintNames(pen: Pen, frames: readonly PictureBox[]): void {
  const look = pen.looks.of("f");
  pen.write(look, "left");
  const size = Math.max(kNameSize, look.size * pen.scale);
  const names = namesOf(pen, frames, size);
  paintPlates(pen, [...names.values()]);
  pen.write(look, "left");
  for (const [{ label: text }, { x, y, width, height }] of names) {
    const baseline = y + height - kPadding - size * 0.1;
    pen.line({ text, x: x + kPadding, y: baseline, room: width - 2 * kPadding, scale: size / look.size });
  }
  pen.rest();
}

function namesOf(pen: Pen, frames: readonly PictureBox[], size: number): Map<PictureBox, Rect> {
  const names = new Map<PictureBox, Rect>();
  const nearest = new Map<number, Rect>(); // of each group, its name or the one around it
  for (const box of frames) {
    const above = nearest.get(box.parent) ?? null;
    const plate = plateOf(pen, box, size, above);
    if (plate) names.set(box, plate);
    if (plate ?? above) nearest.set(box.id, (plate ?? above)!);
  }
  return names;
}

// The grounds of names, in the colors of frames.
function paintPlates(pen: Pen, plates: readonly Rect[]): void {
  const { context, ratio } = pen;
  context.globalAlpha = kPlateOpacity;
  for (const color of [pen.looks.of("f").line, pen.looks.of("o").fill]) {
    context.fillStyle = color;
    for (const { x, y, width, height } of plates) context.fillRect(x * ratio, y * ratio, width * ratio, height * ratio);
  }
  pen.rest();
}

// The place of a name in its frame and in the window, below the name `above` of a group around it. Null: there is no room.
function plateOf(pen: Pen, box: PictureBox, size: number, above: Rect | null): Rect | null {
  const frame = pen.onScreen({ x: box.x, y: box.y, width: box.w, height: box.h });
  const height = size + 2 * kPadding;
  const left = Math.max(frame.x + Math.min(kLeft * pen.scale, kLeft) - kPadding, 0);
  const right = Math.min(frame.x + frame.width, pen.size.width) - kPadding;
  let top = Math.max(frame.y + Math.max(kBorder, kBaseline * pen.scale - size - kPadding), 0);
  if (above && top < above.y + above.height && left < above.x + above.width) top = above.y + above.height;
  if (top + height > frame.y + frame.height || right - left < kLeastRoom || top > pen.size.height) return null;
  const width = Math.min(right - left, pen.widthOf(box.label) * (size / pen.looks.of("f").size) + 2 * kPadding);
  return { x: left, y: top, width, height };
}
