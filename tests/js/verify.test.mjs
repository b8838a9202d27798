import "@tensorflow/tfjs-backend-cpu";

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import * as converter from "@tensorflow/tfjs-converter";
import * as tf from "@tensorflow/tfjs-core";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { verify } from "cryograph/verify";
import { command, data, fixtures, native, root, sample, scratch } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");
const outputs = "probabilities";

async function frozenBytes(path = meta, to = outputs) {
  const [file] = await (await (await open(path)).freeze({ outputs: to })).write({ as: "pb" });
  return Buffer.from(await file.bytes());
}

/** The frozen sample with a bit of a weight turned. */
async function withOtherWeight(name) {
  const bytes = await frozenBytes();
  const { data: values } = await (await open(bytes)).weight(name);
  const content = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const at = bytes.indexOf(content);
  assert.ok(at > 0 && content.length > 8, name);
  bytes[at + 6] ^= 0x40;
  return bytes;
}

/** With a node's op called otherwise, in as many letters. */
async function withOtherOp(from, to) {
  const bytes = await frozenBytes();
  const at = bytes.indexOf(Buffer.concat([Buffer.from([0x12, from.length]), Buffer.from(from)]));
  assert.ok(at > 0, from);
  bytes.write(to, at + 2);
  return bytes;
}

test("a model and what was made of it compute the same, bit for bit", async () => {
  const model = await open(meta);
  const frozen = await model.freeze({ outputs });
  for (const other of [frozen, await model.prune({ outputs }), await frozen.unfreeze()]) {
    const report = await verify(model, other, { outputs });
    assert.equal(report.equal, true, JSON.stringify(report));
    assert.deepEqual(
      report.outputs.map(({ name, difference }) => [name, difference]),
      [[outputs, null]],
    );
    assert.deepEqual(report.uncovered, []);
    assert.deepEqual(report.missingOps, []);
    assert.equal(report.firstDifference, null);
    assert.match(report.runner, /^TensorFlow\.js 4\.\d+\.\d+, cpu$/);
    assert.deepEqual(report.inputs, [{ name: "image", dtype: "float32", shape: [1, 28, 28, 1], from: "random" }]);
  }
});

test("a weight that differs is found, whichever it is", async () => {
  const model = await open(meta);
  const weights = (await model.freeze({ outputs })).report.converted
    .filter(({ bytes }) => bytes > 8)
    .map(({ name }) => name);
  assert.ok(weights.length >= 6);
  for (const name of weights) {
    const report = await verify(model, await open(await withOtherWeight(name)), { outputs });
    assert.equal(report.firstDifference.node, name, JSON.stringify(report));
    assert.equal(report.equal, false);
    const { count, elements, firstIndex, largestAbsolute, within } = report.firstDifference.difference;
    assert.deepEqual([count, firstIndex, within], [1, 1, false]);
    assert.ok(elements > 1 && largestAbsolute > 0);
  }
});

test("a node of another op is found", async () => {
  const report = await verify(await open(meta), await open(await withOtherOp("Relu", "Tanh")), { outputs });
  const { op, otherOp, node } = report.firstDifference;
  assert.deepEqual([op, otherOp], ["Relu", "Tanh"]);
  assert.equal(node, "conv1/relu");
});

test("what is within the tolerance counts as equal, and is told", async () => {
  const [a, b] = [await open(meta), await open(await withOtherWeight("readout/weights"))];
  const strict = await verify(a, b, { outputs });
  const [{ difference }] = strict.outputs;
  assert.equal(difference.within, false);
  const mild = await verify(a, b, { outputs, tolerance: difference.largestAbsolute });
  assert.equal(mild.equal, true);
  assert.equal(mild.outputs[0].difference.within, true);
  assert.equal(mild.firstDifference, null);
});

test("the seed decides the random numbers", async () => {
  const model = await open(meta);
  const frozen = await open(await withOtherWeight("readout/weights"));
  const [one, same, other] = [
    await verify(model, frozen, { outputs, seed: 1 }),
    await verify(model, frozen, { outputs, seed: 1 }),
    await verify(model, frozen, { outputs, seed: 2 }),
  ];
  assert.deepEqual(one, same);
  assert.notDeepEqual(one.outputs, other.outputs);
});

test("an op that TensorFlow.js lacks is named, and what comes before it is compared", async () => {
  const odd = await open(await withOtherOp("Softmax", "Softfoo"));
  const report = await verify(odd, odd, { outputs });
  assert.deepEqual(report.missingOps, ["Softfoo"]);
  assert.deepEqual(
    report.uncovered.map(({ name, op }) => [name, op]),
    [[outputs, "Softfoo"]],
  );
  assert.deepEqual([report.verdict, report.equal], ["undecided", null]);
  assert.deepEqual(
    report.outputs.map(({ name, verdict, equal, largest }) => [name, verdict, equal, largest]),
    [[outputs, "undecided", null, null]],
  );
  assert.ok(report.instead.length > 0);
  for (const { insteadOf, verdict } of report.instead) assert.deepEqual([insteadOf, verdict], [outputs, "equal"]);
});

test("values are taken for inputs, and those that do not fit are refused", async () => {
  const model = await open(meta);
  const image = { shape: [2, 28, 28, 1], data: new Float64Array(2 * 28 * 28).fill(0.5) };
  const report = await verify(model, model, { outputs, feed: { image } });
  assert.deepEqual(report.inputs, [{ name: "image", dtype: "float32", shape: [2, 28, 28, 1], from: "feed" }]);
  assert.deepEqual(report.outputs[0].shape, [2, 10]);
  await assert.rejects(verify(model, model, { outputs, feed: { image: { ...image, shape: [2, 28] } } }), {
    code: "bad-feed",
  });
  await assert.rejects(verify(model, model, { outputs, feed: { picture: image } }), { code: "no-such-input" });
});

/** Returns the values of the inputs: TensorFlow.js itself runs, with a record of the tensors that are made. */
async function given(options) {
  const made = [];
  const all = {
    ...tf,
    ...converter,
    tensor: (values, ...more) => {
      made.push([...values]);
      return tf.tensor(values, ...more);
    },
  };
  const model = await open(meta);
  const report = await verify(model, model, { outputs, tf: all, ...options });
  return { report, values: made.at(-1) };
}

test("an image is made grey, resized to the input, and each value (x - mean) * scale", async () => {
  for (const [width, height] of [
    [28, 28],
    [56, 14],
    [3, 100],
  ]) {
    const data = Uint8ClampedArray.from({ length: width * height * 4 }, (_, i) => [10, 20, 30, 255][i % 4]);
    const { report, values } = await given({ image: { width, height, data }, mean: 2, scale: 0.5 });
    assert.deepEqual(report.inputs, [{ name: "image", dtype: "float32", shape: [1, 28, 28, 1], from: "image" }]);
    assert.deepEqual(values, Array(28 * 28).fill(8)); // 0.299 * 10 + 0.587 * 20 + 0.114 * 30 is 18
  }
});

test("an image may be given to an input by its name; one that takes none is refused", async () => {
  const pixels = { width: 28, height: 28, data: new Uint8ClampedArray(28 * 28 * 4).fill(51) };
  const { report, values } = await given({ feed: { image: pixels }, scale: 1 / 255 });
  assert.deepEqual(
    report.inputs.map(({ from }) => from),
    ["image"],
  );
  assert.deepEqual(new Set(values), new Set([Math.fround(51 / 255)]));
  const model = await open(meta);
  await assert.rejects(verify(model, model, { outputs, inputs: "flatten", feed: { flatten: pixels } }), {
    code: "no-image-input",
  });
});

test("what looks like classes has its largest values told, of both models", async () => {
  const [a, b] = [await open(meta), await open(await withOtherWeight("conv1/weights"))];
  const {
    outputs: [{ classes }, logits],
  } = await verify(a, b, { outputs: [outputs, "readout/BiasAdd", "pool1"] });
  assert.equal(classes.count, 10);
  assert.equal(classes.probabilities, true);
  assert.equal(classes.top.length, 5);
  assert.deepEqual(
    classes.top.map(({ value }) => value),
    classes.top.map(({ value }) => value).sort((x, y) => y - x),
  );
  assert.ok(classes.top.some(({ value, other }) => value !== other));
  assert.equal(logits.classes.probabilities, false);
  assert.deepEqual(
    logits.classes.top.map(({ index }) => index),
    classes.top.map(({ index }) => index),
  );
  const {
    outputs: [image],
  } = await verify(a, a, { outputs: "pool1" });
  assert.equal(image.classes, undefined);
  const batch = { shape: [2, 28, 28, 1], data: new Float32Array(2 * 28 * 28) };
  assert.equal((await verify(a, a, { outputs, feed: { image: batch } })).outputs[0].classes, undefined);
});

test("random numbers are spread over 0 to 1", async () => {
  const { values } = await given({});
  assert.ok(values.every((value) => value >= 0 && value < 1) && new Set(values).size > 780);
  const mean = values.reduce((sum, value) => sum + value) / values.length;
  assert.ok(Math.abs(mean - 0.5) < 0.05, `${mean}`);
});

test("a placeholder keeps its default, unless it is fed", async () => {
  const type = (name) => `attr { key: "${name}" value { type: DT_FLOAT } }`;
  const shape = 'attr { key: "shape" value { shape { dim { size: 3 } } } }';
  const model = await open(
    Buffer.from(`
    node { name: "x" op: "Placeholder" ${type("dtype")} ${shape} }
    node { name: "up" op: "Exp" input: "x" ${type("T")} }
    node { name: "keep" op: "PlaceholderWithDefault" input: "up" ${type("dtype")} ${shape} }
    node { name: "y" op: "Neg" input: "keep" ${type("T")} }`),
  );
  for (const feed of [{}, { keep: { shape: [3], data: [1, 2, 3] } }]) {
    const {
      inputs,
      outputs: [{ name, classes }],
      uncovered,
    } = await verify(model, model, { outputs: "y", feed });
    assert.deepEqual([name, uncovered], ["y", []]);
    assert.deepEqual(
      inputs.map((input) => [input.name, input.optional]),
      [["x", undefined], ...(feed.keep ? [["keep", true]] : [])],
    );
    if (feed.keep)
      assert.deepEqual(
        classes.top.map(({ value }) => value),
        [-1, -2, -3],
      );
  }
});

test("models that have no input or output in common are refused", async () => {
  const [a, b] = [await open(meta), await open(join(data, "frozen_convnet/graph.pb"))];
  await assert.rejects(verify(a, a, { outputs: "nothing" }), { code: "not-in-graph" });
  await assert.rejects(verify(a, b), { code: "other-inputs" });
});

test("a model that was cut inside of the other is compared where it ends", async () => {
  const model = await open(meta);
  const cut = await model.prune({ outputs: "conv1/relu" });
  const [whole, part] = [await model.freeze({ outputs }), await cut.freeze({ outputs: "conv1/relu" })];
  for (const report of [await verify(whole, part), await verify(part, whole)]) {
    assert.deepEqual([report.equal, report.outputs.map(({ name }) => name)], [true, ["conv1/relu"]]);
  }
});

test("models in the worker are verified too, and a call can be aborted", async () => {
  const model = await openInWorker(meta);
  const frozen = await model.freeze({ outputs });
  assert.equal((await verify(model, frozen, { outputs })).equal, true);
  await assert.rejects(verify(model, frozen, { outputs, signal: AbortSignal.abort() }), { name: "AbortError" });
});

const kRunnable = Object.entries(fixtures).filter(
  ([, { outputs: known, weightless, feeds }]) => known?.length && !weightless && !feeds,
);
test("every fixture computes the same before and after freezing", async (t) => {
  const covered = [];
  for (const [name, { path, outputs: known }] of kRunnable) {
    const model = await open(join(data, path));
    const made = await model.freeze({ outputs: known }).catch((error) => t.diagnostic(`${name}: ${error.message}`));
    if (!made) continue;
    const report = await verify(model, made, { outputs: known });
    assert.equal(report.equal, report.uncovered.length > 0 ? null : true, `${name}: ${JSON.stringify(report)}`);
    if (report.uncovered.length === 0) covered.push(name);
    else t.diagnostic(`${name}: ${JSON.stringify(report.uncovered)}`);
  }
  t.diagnostic(`${covered.length} of ${kRunnable.length} fixtures are covered whole`);
  assert.ok(covered.length >= kRunnable.length / 2, covered.join());
});

test("the command says the same, with its exit status", async (t) => {
  const folder = scratch(t);
  const [good, bad] = [join(folder, "good.pb"), join(folder, "bad.pb")];
  writeFileSync(good, await frozenBytes());
  writeFileSync(bad, await withOtherOp("Relu", "Tanh"));
  const same = command(["verify", meta, good, "--outputs", outputs, "--json"]);
  assert.equal(same.status, 0, same.stderr);
  assert.deepEqual(
    JSON.parse(same.stdout),
    JSON.parse(JSON.stringify({ ...(await verify(await open(meta), await open(good), { outputs })) })),
  );
  const other = command(["verify", meta, bad, "--outputs", outputs]);
  assert.equal(other.status, 1, other.stderr);
  assert.match(other.stdout, /^different\n/);
  assert.match(other.stdout, /differs at +conv1\/relu \(Relu, there Tanh\)/);
  assert.equal(command(["verify", meta, "--outputs", outputs]).status, 2);
  assert.equal(command(["verify", meta, good, "--feed", "image"]).status, 2);
  assert.equal(command(["verify", meta, good, "--tolerance", "x"]).status, 2);
});

test("the command reads .npy files and images", async (t) => {
  const folder = scratch(t);
  const good = join(folder, "good.pb");
  writeFileSync(good, await frozenBytes());
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 28, 28, 1), }";
  const padded = header.padEnd(117) + "\n";
  const length = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, padded.length & 255, padded.length >> 8]);
  writeFileSync(
    join(folder, "x.npy"),
    Buffer.concat([length, Buffer.from(padded), Buffer.from(new Float32Array(784).fill(0.25).buffer)]),
  );
  const fed = command([
    "verify",
    meta,
    good,
    "--outputs",
    outputs,
    "--feed",
    `image=${join(folder, "x.npy")}`,
    "--json",
  ]);
  assert.equal(fed.status, 0, fed.stdout + fed.stderr);
  assert.equal(JSON.parse(fed.stdout).inputs[0].from, "feed");
  const { PNG } = await import("pngjs");
  const png = new PNG({ width: 7, height: 5 });
  png.data.fill(200);
  writeFileSync(join(folder, "x.png"), PNG.sync.write(png));
  const jpeg = (await import("jpeg-js")).default.encode({ width: 7, height: 5, data: png.data }).data;
  writeFileSync(join(folder, "x.jpg"), jpeg);
  for (const name of ["x.png", "x.jpg"]) {
    const { status, stdout, stderr } = command([
      "verify",
      meta,
      good,
      "--outputs",
      outputs,
      "--image",
      join(folder, name),
      "--scale",
      "0.004",
      "--json",
    ]);
    assert.equal(status, 0, stdout + stderr);
    assert.equal(JSON.parse(stdout).inputs[0].from, "image");
  }
  assert.equal(command(["verify", meta, good, "--image", good]).status, 3);
});

test("without TensorFlow.js the command says what to install; the native program, where to go", (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, "node_modules/cryograph"), { recursive: true });
  cpSync(join(root, "dist"), join(folder, "node_modules/cryograph/dist"), { recursive: true });
  writeFileSync(join(folder, "node_modules/cryograph/package.json"), readFileSync(join(root, "package.json")));
  const cli = join(folder, "node_modules/cryograph/dist/cli.js");
  const { status, stderr } = spawnSync(process.execPath, [cli, "verify", meta, meta, "--outputs", outputs], {
    encoding: "utf8",
    cwd: folder,
  });
  assert.equal(status, 3);
  assert.match(stderr, /npm install @tensorflow\/tfjs-core@4/);
  const theirs = native(["verify", meta, meta]);
  assert.equal(theirs.status, 3);
  assert.match(theirs.stderr, /npx cryograph verify/);
});
