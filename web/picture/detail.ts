import type { PictureBox } from "../engine/engine.js";
import { kReadable } from "./viewport.js";

// Levels of detail: a box shows its color, then its label, then its parameters. Units: CSS pixels on the screen.

const kSmallFrame = 48; // the longer side of an open group that shows its inside
const kFlatFrame = 20; // the shorter side

/** The height of a group's name at any scale. */
export const kNameSize = 11;
/** The height of a node's label at any scale that has room for one, and the least one in a narrow box. */
export const kLabelSize = 9;
export const kLeastLabelSize = 6.5;

/** Returns true if an open group is too small to show its inside: it looks like a closed one. */
export function givesWay({ open, w, h }: PictureBox, scale: number): boolean {
  return open && (Math.max(w, h) * scale < kSmallFrame || Math.min(w, h) * scale < kFlatFrame);
}

/** Returns true if second lines, parameters and stubs can be read. */
export function showsLines(scale: number): boolean {
  return scale >= kReadable;
}

/** Returns true if corners, heads of edges and dashes can be seen. */
export function showsShapes(scale: number): boolean {
  return scale >= 0.35;
}
