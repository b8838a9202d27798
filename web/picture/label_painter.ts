import type { PictureBox } from "../engine/engine.js";
import { opacityOf } from "./box_painter.js";
import { kLabelSize, kLeastLabelSize, kNameSize, showsLines } from "./detail.js";
import { baseName } from "../words/format.js";
import type { Marks } from "./marks.js";
import { kSqueeze, type Pen } from "./pen.js";
import { rectOf, type Scene } from "./scene.js";

// The places of texts in a box, as the core makes room for them. Units: CSS pixels at zoom 1.
const kTitleLine = 18; // from a box's top to the baseline of its label
const kDetailHeight = 15;
const kRuleGap = 7;
const kLineHeight = 14;
const kInset = 10;
const kLeastInset = 3; // CSS pixels on the screen

/** Draws the labels of closed boxes, and of what looks like them. */
export function paintLabels(pen: Pen, boxes: readonly PictureBox[], marks: Marks): void {
  const look = pen.looks.of("t");
  pen.write(look, "center");
  for (const box of boxes) {
    const { x, y, width, height } = pen.onScreen(rectOf(box));
    if (height < kLeastLabelSize) continue;
    const room = width - 2 * Math.max(kLeastInset, (kInset / 2) * pen.scale);
    const size = sizeOf(pen, box, look.size, room);
    if (height < size + 2) continue;
    const hasLines = showsLines(pen.scale) && !box.open;
    const baseline = hasLines ? y + kTitleLine * pen.scale : y + height / 2 + size * 0.36;
    pen.context.globalAlpha = opacityOf(pen, marks.ofBox(box.id));
    pen.line({ text: box.label, x: x + width / 2, y: baseline, room, scale: size / look.size });
  }
  pen.rest();
}

// The size of a label on the screen: that of the picture, or a larger one that can be read and has room.
function sizeOf(pen: Pen, { label, kind }: PictureBox, natural: number, room: number): number {
  const wanted = kind === "node" ? kLabelSize : kNameSize;
  const fitting = (natural * room) / pen.widthOf(label);
  return Math.max(natural * pen.scale, Math.min(wanted, Math.max(fitting, kLeastLabelSize)));
}

/** Draws what else boxes say where it can be read: the second line, parameters, stubs. */
export function paintLines(pen: Pen, scene: Scene, boxes: readonly PictureBox[], marks: Marks): void {
  if (!showsLines(pen.scale)) return;
  const closed = boxes.filter(({ open }) => !open);
  paintDetails(pen, closed, marks);
  paintParameters(pen, closed, marks);
  for (const { id, ...box } of closed) {
    for (const { above, text } of scene.stubs.get(id) ?? []) paintStub(pen, box, above, text);
  }
  pen.rest();
}

function paintDetails(pen: Pen, boxes: readonly PictureBox[], marks: Marks): void {
  pen.write(pen.looks.of("d"), "center");
  for (const { id, detail, x, y, w } of boxes) {
    if (!detail) continue;
    pen.context.globalAlpha = opacityOf(pen, marks.ofBox(id));
    write(pen, detail, x + w / 2, y + kTitleLine + kDetailHeight, w - kInset);
  }
  pen.rest();
}

function paintParameters(pen: Pen, boxes: readonly PictureBox[], marks: Marks): void {
  for (const box of boxes) {
    if (box.lines === 0) continue;
    pen.context.globalAlpha = opacityOf(pen, marks.ofBox(box.id));
    let y = box.y + kTitleLine + (box.detail ? kDetailHeight : 0) + kRuleGap;
    paintRule(pen, box, y);
    pen.write(pen.looks.of("p"), "left");
    for (const parameter of box.parameters.slice(0, box.lines)) {
      const room = box.w - 2 * kInset;
      write(pen, parameterText(pen, parameter, room), box.x + kInset, (y += kLineHeight), room);
    }
    pen.rest();
  }
}

// "weights [3,3,32,64]"; where there is no room, the name is cut, not the shape.
function parameterText(pen: Pen, { name, shape }: PictureBox["parameters"][number], room: number): string {
  const sizes = shape ? ` [${shape.map((each) => (each < 0 ? "?" : each)).join(",")}]` : "";
  return pen.fitted(baseName(name), room - pen.widthOf(sizes) / kSqueeze) + sizes;
}

// The line between a box's label and its parameters.
function paintRule(pen: Pen, { tint, x, y: top, w }: PictureBox, y: number): void {
  const look = pen.looks.of(`rule ${tint}`);
  const { context } = pen;
  const alpha = context.globalAlpha;
  context.globalAlpha *= look.opacity;
  context.fillStyle = look.line;
  const height = Math.max(1, Math.round(pen.scale * pen.ratio));
  context.fillRect(pen.column(x), pen.row(Math.max(top, y)), pen.column(x + w) - pen.column(x), height);
  context.globalAlpha = alpha;
}

function paintStub(pen: Pen, { x, y, w, h }: Omit<PictureBox, "id">, above: boolean, text: string): void {
  const middle = x + w / 2;
  const tick = pen.looks.of("tick");
  const width = Math.max(1, Math.round(tick.width * pen.scale * pen.ratio));
  const [top, bottom] = above ? [y - 4, y] : [y + h, y + h + 4];
  pen.context.fillStyle = tick.line;
  pen.context.fillRect(pen.column(middle), pen.row(top), width, pen.row(bottom) - pen.row(top));
  pen.write(pen.looks.of("stub"), "center");
  write(pen, text, middle, above ? y - 6 : y + h + 13, w);
  pen.rest();
}

// Writes at a place of the picture, as large as the picture is.
function write(pen: Pen, text: string, x: number, y: number, width: number): void {
  const place = pen.onScreen({ x, y, width, height: 0 });
  pen.line({ text, x: place.x, y: place.y, room: place.width, scale: pen.scale });
}
