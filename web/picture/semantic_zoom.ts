import type { PictureBox, PictureLayout } from "../engine/engine.js";
import { givesWay } from "./detail.js";
import type { Place, Scene } from "./scene.js";
import { rectOf } from "./scene.js";
import { fittedOn, kReadable, type Size } from "./viewport.js";

const kOpening = 1.75; // the scale from which on a closed group opens: its name is twice as large as others then

/** Returns the group at a place of the picture that a change of the scale opens or closes; null if it does neither. */
export function zoomedGroup(scene: Scene, at: Place, before: number, scale: number): PictureBox | null {
  const box = scene.boxAt(at, before);
  if (scale > before) return box && !box.open && box.kind !== "node" && scale >= kOpening ? box : null;
  if (scale === before || !box) return null;
  return openGroupsAround(scene.layout, box).find((group) => givesWay(group, scale)) ?? null;
}

/** Returns the scale at which a group that zooming opened is read: as large as fits, but no larger than it is. */
export function openedScale(box: PictureBox, window: Size): number {
  return Math.max(kReadable, fittedOn(rectOf(box), window).scale);
}

// The innermost first.
function openGroupsAround({ boxes }: PictureLayout, box: PictureBox): PictureBox[] {
  const groups: PictureBox[] = [];
  for (let each: PictureBox | undefined = box; each; each = boxes[each.parent]) if (each.open) groups.push(each);
  return groups;
}
