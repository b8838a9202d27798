import type { PictureBox } from "../engine/engine.js";
import { kNameSize } from "./detail.js";
import type { Pen } from "./pen.js";
import type { Rect } from "./viewport.js";

const kLeft = 12; // CSS pixels at zoom 1, from a frame's left side to its name
const kBaseline = 19; // from its top
const kPadding = 4; // CSS pixels on the screen, around a name
const kLeastSize = 8; // CSS pixels on the screen of the height of a name
const kBorder = 1.5;
const kPlateOpacity = 0.9; // of the ground below a name

/** Draws the names of open groups over what is in them. A name stays in sight as long as a part of its group is. */
export function paintNames(pen: Pen, frames: readonly PictureBox[]): void {
  const look = pen.looks.of("f");
  pen.write(look, "left");
  const size = Math.max(kNameSize, look.size * pen.scale);
  const names = namesOf(pen, frames, size);
  paintPlates(
    pen,
    [...names.values()].map(({ plate }) => plate),
  );
  pen.write(look, "left");
  for (const [{ label: text }, { plate, scale }] of names) {
    const baseline = plate.y + plate.height - kPadding - size * 0.1;
    pen.line({ text, x: plate.x + kPadding, y: baseline, room: plate.width - 2 * kPadding, scale });
  }
  pen.rest();
}

/** The place of a name. */
interface Name {
  plate: Rect;
  /** The factor on the size of the look's font: smaller in a narrow frame. */
  scale: number;
}

function namesOf(pen: Pen, frames: readonly PictureBox[], size: number): Map<PictureBox, Name> {
  const names = new Map<PictureBox, Name>();
  const nearest = new Map<number, Rect>(); // of each group, its name or the one around it
  for (const box of frames) {
    const above = nearest.get(box.parent) ?? null;
    const name = nameOf(pen, box, size, above);
    if (name) names.set(box, name);
    const plate = name?.plate ?? above;
    if (plate) nearest.set(box.id, plate);
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
function nameOf(pen: Pen, box: PictureBox, size: number, above: Rect | null): Name | null {
  const frame = pen.onScreen({ x: box.x, y: box.y, width: box.w, height: box.h });
  const height = size + 2 * kPadding;
  const left = Math.max(frame.x + Math.min(kLeft * pen.scale, kLeft) - kPadding, 0);
  const right = Math.min(frame.x + frame.width, pen.size.width) - kPadding;
  let top = Math.max(frame.y + Math.max(kBorder, kBaseline * pen.scale - size - kPadding), 0);
  if (above && top < above.y + above.height && left < above.x + above.width) top = above.y + above.height;
  const room = right - left - 2 * kPadding;
  if (top + height > frame.y + frame.height || room <= 0 || top > pen.size.height) return null;
  const natural = pen.widthOf(box.label);
  const { size: own } = pen.looks.of("f");
  const scale = Math.min(size, Math.max(kLeastSize, (own * room) / natural)) / own;
  if (pen.fitted(box.label, room / scale) === "") return null;
  return { plate: { x: left, y: top, width: Math.min(room, natural * scale) + 2 * kPadding, height }, scale };
}
