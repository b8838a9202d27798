import type { PictureBox } from "../engine/engine.js";
import { paintBoxes, paintFrames } from "./box_painter.js";
import { givesWay } from "./detail.js";
import { paintEdges } from "./edge_painter.js";
import { paintLabels, paintLines } from "./label_painter.js";
import type { Marks } from "./marks.js";
import { paintNames } from "./name_painter.js";
import type { Pen } from "./pen.js";
import type { Badge, PinBadges } from "./pin_badges.js";
import type { Scene } from "./scene.js";

const kCountInset = 6; // CSS pixels at zoom 1, from a box's right side to its number of matches
const kLeastCount = 0.8; // the scale of such a number at least

/** A scene with its marks and pins. */
export interface Painting {
  scene: Scene;
  marks: Marks;
  badges: PinBadges;
  /** The badge that the pointer is on. */
  hovered: Badge | null;
}

/** Draws the part of a painting that a pen shows, in the order in which things cover each other. */
export function paint(pen: Pen, { scene, marks, badges, hovered }: Painting): void {
  const { frames, closed, blockOf } = inView(pen, scene);
  pen.rest();
  pen.context.fillStyle = pen.looks.of("ground").fill;
  pen.context.fillRect(0, 0, pen.context.canvas.width, pen.context.canvas.height);
  paintFrames(pen, frames, marks);
  paintEdges(pen, scene, marks, blockOf);
  paintBoxes(pen, closed, marks);
  paintLabels(pen, closed, marks);
  paintLines(pen, scene, closed, marks);
  paintNames(pen, frames);
  paintCounts(pen, closed, marks);
  badges.paint(pen, hovered);
}

/** The boxes in view: frames of open groups, each after its parent; closed boxes, and groups that look closed. */
interface InView {
  frames: PictureBox[];
  closed: PictureBox[];
  /** The group that looks closed and hides a box, or is it. */
  blockOf: Map<number, number>;
}

function inView(pen: Pen, scene: Scene): InView {
  const found: InView = { frames: [], closed: [], blockOf: new Map() };
  for (const box of scene.boxesIn(pen.part)) {
    const block = found.blockOf.get(box.parent);
    if (block !== undefined) {
      found.blockOf.set(box.id, block);
    } else if (box.open && !givesWay(box, pen.scale)) {
      found.frames.push(box);
    } else {
      found.closed.push(box);
      if (box.open) found.blockOf.set(box.id, box.id);
    }
  }
  return found;
}

// Boxes that hold matches have their number at the upper right corner.
function paintCounts(pen: Pen, boxes: readonly PictureBox[], marks: Marks): void {
  const look = pen.looks.of("count");
  const scale = Math.max(pen.scale, kLeastCount);
  for (const box of boxes) {
    const count = marks.count(box);
    if (count === 0) continue;
    const { x, y } = pen.onScreen({ x: box.x + box.w - kCountInset, y: box.y + 4, width: 0, height: 0 });
    const text = String(count);
    pen.write(look, "right");
    const { context, ratio } = pen;
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    context.strokeStyle = look.line;
    context.lineWidth = look.width;
    context.strokeText(text, 0, 0);
    context.fillText(text, 0, 0);
    pen.rest();
  }
}
