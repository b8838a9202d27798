// Helpers for the sample: it frozen and broken on purpose, and a digit.
import assert from "node:assert/strict";
import { join } from "node:path";
import { open } from "cryograph";
import pngjs from "pngjs";
import { root } from "./browser.mjs";

/** The frozen sample with one bit of a weight turned. */
export async function withOtherWeight(name) {
  const model = await open(join(root, "web/samples/digits/model.ckpt.meta"));
  const frozen = await model.freeze({ outputs: "probabilities" });
  const [file] = await frozen.write({ as: "pb" });
  const graph = Buffer.from(await file.bytes());
  const { data } = await frozen.weight(name);
  const at = graph.indexOf(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  assert.ok(at > 0);
  graph[at + 6] ^= 0x40;
  return graph;
}

/** A bright stroke on dark, a one; rather wide than high, so that it has to be resized. */
export function drawnDigit() {
  const { PNG } = pngjs;
  const png = new PNG({ width: 84, height: 56 });
  for (let i = 0; i < png.width * png.height; i++) {
    const [x, y] = [i % png.width, Math.floor(i / png.width)];
    const isInk = x > 36 && x < 46 && y > 8 && y < 48;
    png.data.set(isInk ? [250, 230, 240, 255] : [12, 0, 7, 255], 4 * i);
  }
  const file = { name: "one.png", mimeType: "image/png", buffer: PNG.sync.write(png) };
  return { pixels: { width: png.width, height: png.height, data: png.data }, file };
}
