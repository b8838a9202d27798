// Runs models in TensorFlow.js: for each line of standard input, {"model", "feeds", "outputs"}, prints a line with the reason why it does not
// run, or "".
import "@tensorflow/tfjs-backend-cpu";

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

import * as converter from "@tensorflow/tfjs-converter";
import * as core from "@tensorflow/tfjs-core";

const kArrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array, complex64: Float32Array };

core.enableProdMode(); // else it prints warnings
console.log = () => {}; // standard output has the answers

/** Returns the parts of a model.json and its shards, as loadGraphModel takes them. */
async function partsOf(path) {
  const { modelTopology, format, weightsManifest = [] } = JSON.parse(await readFile(path, "utf8"));
  const paths = weightsManifest.flatMap(({ paths }) => paths).map((name) => join(dirname(path), name));
  const shards = await Promise.all(paths.map((each) => readFile(each)));
  const weightSpecs = weightsManifest.flatMap(({ weights }) => weights);
  const bytes = Buffer.concat(shards);
  const weightData = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return { modelTopology, format, weightSpecs, weightData };
}

function tensorOf({ dtype, shape, data }) {
  const bytes = Buffer.from(data, "base64");
  if (dtype === "string")
    return core.tensor(
      JSON.parse(bytes).map((text) => Buffer.from(text, "latin1")),
      shape,
      dtype,
    );
  const values = new kArrays[dtype](new Uint8Array(bytes).buffer);
  if (dtype !== "complex64") return core.tensor(values, shape, dtype);
  const part = (from) =>
    core.tensor(
      Float32Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + from]),
      shape,
    );
  return core.complex(part(0), part(1));
}

/** Runs a model as its documentation says: a graph with control flow or shapes that depend on values by executeAsync. */
async function run(loaded, values, outputs) {
  try {
    return loaded.execute(values, outputs);
  } catch (error) {
    if (!/dynamic op|returned a promise/.test(error?.message)) throw error;
    return await loaded.executeAsync(values, outputs);
  }
}

async function outcome({ model, feeds, outputs }) {
  try {
    const parts = await partsOf(model);
    const loaded = await converter.loadGraphModel({ load: async () => parts });
    const values = Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, tensorOf(value)]));
    const results = [await run(loaded, values, outputs)].flat();
    for (const each of results) await each.data();
    return "";
  } catch (error) {
    return String(error?.message ?? error) || "refused";
  }
}

await core.setBackend("cpu");
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await outcome(JSON.parse(line)))}\n`);
}
