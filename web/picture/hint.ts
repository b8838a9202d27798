import type { PictureBox } from "../engine/engine.js";
import { bytes, counted } from "../ui/format.js";
import { shape } from "../words/format.js";
import { showsLines } from "./detail.js";
import type { Place, Scene } from "./scene.js";

const kReach = 4; // CSS pixels on the screen between an edge and the pointer
const kMaxLines = 12; // parameters that are listed
const kStubHeight = 14; // CSS pixels at zoom 1

/** Returns what the box, the stub or the edge at a place of the picture is. Null: there is nothing. */
export function hintOf(scene: Scene, at: Place, scale: number): string | null {
  const box = scene.boxAt(at, scale);
  if (box && !box.open) return boxHint(box);
  const stub = showsLines(scale) ? stubHint(scene, at) : null;
  const edge = stub ? null : scene.edgeAt(at, kReach / scale);
  return stub ?? (edge?.label || (box && boxHint(box)));
}

function boxHint({ name, op, kind, nodes, bytes: size, parameters }: PictureBox): string {
  const lines = [name, op, ...parameters.slice(0, kMaxLines).map((each) => `${each.name} ${shape(each.shape)}`)];
  if (kind !== "node") lines.push(counted(nodes, "node"));
  if (Number(size) > 0) lines.push(bytes(size));
  return lines.filter(Boolean).join("\n");
}

function stubHint(scene: Scene, { x, y }: Place): string | null {
  for (const box of scene.boxesIn({ x, y, width: 0, height: 0 })) {
    if (x < box.x || x > box.x + box.w) continue;
    for (const { above, names } of scene.stubs.get(box.id) ?? []) {
      const distance = above ? box.y - y : y - box.y - box.h;
      if (distance >= 0 && distance <= kStubHeight) return names.join("\n");
    }
  }
  return null;
}
