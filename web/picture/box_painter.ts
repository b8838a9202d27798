import type { PictureBox } from "../engine/engine.js";
import { showsShapes } from "./detail.js";
import type { Look } from "./looks.js";
import { kBoxMarks, type BoxMark, type Marks } from "./marks.js";
import type { Pen } from "./pen.js";

const kBordered = 6; // pixels of the canvas of the height of a box that has a border
const kLeastMark = 0.6; // of the width of a mark, on the screen
const kEndRadius = 13; // CSS pixels at zoom 1, as all radii
const kNodeRadius = 5;
const kGroupRadius = 8;
const kFrameRadius = 10;
const kStackStep = 3;

/** Draws the frames of open groups. */
export function paintFrames(pen: Pen, frames: readonly PictureBox[], marks: Marks): void {
  for (const box of frames) {
    const look = pen.looks.of(box.kind === "tray" ? "o tray" : "o");
    const mark = outlineOf(pen, marks.ofBox(box.id));
    paintShape(pen, { ...box, radius: kFrameRadius }, look, mark);
  }
  pen.rest();
}

/** Draws closed boxes, and open ones as if they were closed. */
export function paintBoxes(pen: Pen, boxes: readonly PictureBox[], marks: Marks): void {
  for (const box of boxes) {
    const { kind, end } = box;
    const look = pen.looks.of(`b ${box.tint}${end ? " end" : ""}${kind === "tray" ? " tray" : ""}`);
    const own = marks.ofBox(box.id);
    pen.context.globalAlpha = opacityOf(pen, own);
    const radius = end ? kEndRadius : kind === "node" ? kNodeRadius : kGroupRadius;
    if (kind === "stack" && showsShapes(pen.scale)) paintBack(pen, box, look);
    const w = box.w - (kind === "stack" ? kStackStep : 0);
    paintRect(pen, { ...box, w, radius }, look, outlineOf(pen, own));
  }
  pen.rest();
}

/** Returns the opacity of a box with these marks. */
export function opacityOf(pen: Pen, marks: readonly BoxMark[]): number {
  if (marks.length === 0) return 1;
  return marks.reduce((least, mark) => Math.min(least, pen.looks.of(`mark ${mark}`).opacity), 1);
}

// The look of the one mark that a box's outline shows.
function outlineOf(pen: Pen, marks: readonly BoxMark[]): Look | null {
  if (marks.length === 0) return null;
  const mark = kBoxMarks.find((each) => marks.includes(each) && pen.looks.of(`mark ${each}`).line !== "none");
  return mark ? pen.looks.of(`mark ${mark}`) : null;
}

interface RoundRect {
  x: number;
  y: number;
  w: number;
  h: number;
  radius: number;
}

// The boxes of a stack behind the first one.
function paintBack(pen: Pen, { x, y, w, h }: PictureBox, look: Look): void {
  for (const by of [2 * kStackStep, kStackStep])
    paintRect(pen, { x: x + by, y: y + by, w: w - by, h, radius: kGroupRadius }, look, null);
}

function paintRect(pen: Pen, rect: RoundRect, look: Look, mark: Look | null): void {
  if (showsShapes(pen.scale)) paintShape(pen, rect, look, mark);
  else paintPlain(pen, rect, look, mark);
}

function paintShape(pen: Pen, rect: RoundRect, look: Look, mark: Look | null): void {
  const { x, y, w, h } = pixelsOf(pen, rect);
  const width = lineWidth(pen, look, mark);
  const half = width % 2 === 1 ? 0.5 : 0;
  const radius = Math.min(rect.radius * pen.scale * pen.ratio, w / 2, h / 2);
  pen.context.beginPath();
  pen.context.roundRect(x + half, y + half, w, h, radius);
  pen.context.fillStyle = look.fill;
  pen.context.fill();
  pen.stroke(mark ?? look, width);
  pen.context.stroke();
}

// Without corners and dashes, which are not seen: filled rectangles are drawn faster than lines.
function paintPlain(pen: Pen, rect: RoundRect, look: Look, mark: Look | null): void {
  const { context } = pen;
  const { x, y, w, h } = pixelsOf(pen, rect);
  if (mark) {
    const width = lineWidth(pen, look, mark);
    context.strokeStyle = mark.line;
    context.lineWidth = width;
    context.strokeRect(x - width / 2, y - width / 2, w + width, h + width);
  }
  context.fillStyle = look.line;
  context.fillRect(x, y, w, h);
  if (h < kBordered) return;
  context.fillStyle = look.fill;
  context.fillRect(x + 1, y + 1, w - 2, h - 2);
}

function pixelsOf(pen: Pen, rect: RoundRect): Omit<RoundRect, "radius"> {
  const [x, y] = [pen.column(rect.x), pen.row(rect.y)];
  return { x, y, w: Math.max(1, pen.column(rect.x + rect.w) - x), h: Math.max(1, pen.row(rect.y + rect.h) - y) };
}

function lineWidth(pen: Pen, { width }: Look, mark: Look | null): number {
  const line = mark ? pen.thickness(mark.width, kLeastMark * mark.width) : pen.thickness(width, 0);
  return Math.max(1, Math.round(line));
}
