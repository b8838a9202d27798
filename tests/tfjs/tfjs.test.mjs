// Real TensorFlow.js loads what we write and computes what TensorFlow computes from the same model (expected.json, by expected.py).
import "@tensorflow/tfjs-backend-cpu";

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";

import { loadGraphModel } from "@tensorflow/tfjs-converter";
import * as tf from "@tensorflow/tfjs-core";

import { data, native, root, scratch } from "../js/support.mjs";

const kTolerance = 1e-5;
const expected = JSON.parse(readFileSync(join(import.meta.dirname, "expected.json"), "utf8"));

/** Returns the value that loadGraphModel reads: the model.json with its weights as one buffer. */
function fromDisk(path) {
  const json = JSON.parse(readFileSync(path, "utf8"));
  const shards = json.weightsManifest
    .flatMap((group) => group.paths)
    .map((shard) => readFileSync(join(dirname(path), shard)));
  return {
    load: async () => ({
      modelTopology: json.modelTopology,
      format: json.format,
      generatedBy: json.generatedBy,
      convertedBy: json.convertedBy,
      signature: json.signature,
      userDefinedMetadata: json.userDefinedMetadata,
      weightSpecs: json.weightsManifest.flatMap((group) => group.weights),
      weightData: new Uint8Array(Buffer.concat(shards)).buffer,
    }),
  };
}

function run(...args) {
  const done = native(args);
  assert.equal(done.status, 0, done.stderr);
}

async function compare(path, { inputs, outputs }) {
  const model = await loadGraphModel(fromDisk(path));
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([name, { data: values, shape, dtype }]) => [name, tf.tensor(values, shape, dtype)]),
  );
  const names = Object.keys(outputs);
  const results = [await model.executeAsync(feeds, names)].flat();
  for (const [i, name] of names.entries()) {
    assert.deepEqual(results[i].shape, outputs[name].shape);
    const got = results[i].dataSync();
    outputs[name].data.forEach((value, at) =>
      assert.ok(Math.abs(got[at] - value) <= kTolerance, `${name}[${at}]: ${got[at]}, not ${value}`),
    );
  }
}

for (const [name, about] of Object.entries(expected)) {
  test(`${name} is loaded and computes the same`, async (t) => {
    const folder = scratch(t);
    run(
      "freeze",
      join(root, about.path),
      "--outputs",
      Object.keys(about.outputs).join(","),
      "-o",
      join(folder, "model.json"),
    );
    await compare(join(folder, "model.json"), about);
  });
}

test("a model goes from TensorFlow.js to a GraphDef and back", async (t) => {
  const folder = scratch(t);
  run("convert", join(data, "frozen_convnet/graph.pb"), "-o", join(folder, "model.json"));
  run("convert", join(folder, "model.json"), "-o", join(folder, "model.pb"));
  run("convert", join(folder, "model.pb"), "-o", join(folder, "again/"), "--as", "tfjs");
  assert.deepEqual(readFileSync(join(folder, "again/model.json")), readFileSync(join(folder, "model.json")));
  await compare(join(folder, "again/model.json"), expected.frozen_convnet);
});
