// The frozen sample, broken on purpose.
import assert from "node:assert/strict";
import { join } from "node:path";
import { open } from "cryograph";
import { root } from "./browser.mjs";

/** With one bit of a weight turned. */
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
