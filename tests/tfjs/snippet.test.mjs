// --snippet: the lines that are printed after a TensorFlow.js model was written load it in TensorFlow.js, and run it.
import "@tensorflow/tfjs-backend-cpu";

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { data, native, root, sample, scratch } from "../js/support.mjs";

/** Makes a folder of the package @tensorflow/tfjs: it is these three, and is not installed here. */
function addTensorFlowJs(folder) {
  const place = join(folder, "node_modules/@tensorflow/tfjs");
  mkdirSync(place, { recursive: true });
  const parts = ["tfjs-core", "tfjs-converter"].map((name) => import.meta.resolve(`@tensorflow/${name}`));
  writeFileSync(join(place, "package.json"), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(place, "index.js"), parts.map((url) => `export * from ${JSON.stringify(url)};\n`).join(""));
}

/** Runs the lines as a module of the folder, whose files are at their URLs as a server would have them. */
async function run(folder, lines) {
  const path = join(folder, "snippet.mjs");
  writeFileSync(path, [...lines, "export { outputs };"].join("\n"));
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => new Response(readFileSync(join(folder, String(url))));
  try {
    return (await import(pathToFileURL(path))).outputs;
  } finally {
    globalThis.fetch = fetch;
  }
}

for (const [path, outputs, shape] of [
  [join(sample, "model.ckpt.meta"), "probabilities", [1, 10]],
  [join(data, "frozen_convnet/graph.pb"), "y", [1, 5]],
  [join(data, "while_resource/model.ckpt.meta"), "y", null],
])
  test(`${path.slice(root.length + 1)}: its lines run`, async (t) => {
    const folder = scratch(t);
    addTensorFlowJs(folder);
    const args = ["freeze", path, "--outputs", outputs, "-o", "model.json", "--snippet", "--json"];
    const frozen = path.endsWith(".pb") ? ["convert", path, "-o", "model.json", "--snippet", "--json"] : args;
    const { stdout } = native(frozen, { cwd: folder });
    const { language, lines } = JSON.parse(stdout).snippet;
    assert.equal(language, "javascript");
    const found = [await run(folder, lines)].flat();
    assert.equal(found.length, 1);
    if (shape) assert.deepEqual(found[0].shape, shape);
    assert.ok(found[0].dataSync().every(Number.isFinite));
  });
