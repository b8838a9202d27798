import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { sample } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");

// A safetensors file of one array.
function safetensors(dtype, shape, bytes) {
  const header = Buffer.from(JSON.stringify({ w: { dtype, shape, data_offsets: [0, bytes.length] } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return new Uint8Array(Buffer.concat([length, header, bytes]));
}

async function statisticsOf(dtype, values) {
  const model = await open({ "w.safetensors": safetensors(dtype, [values.length], Buffer.from(values.buffer)) });
  return model.statistics("w");
}

test("a node tells its attributes, what feeds it and what it feeds, here and in the worker", async () => {
  const here = await open(meta);
  const { node } = here.node("conv1/relu");
  assert.equal(node.op, "Relu");
  assert.deepEqual(
    node.inputs.map(({ node: from, port, control }) => [from, port, control]),
    [["conv1/BiasAdd", 0, false]],
  );
  assert.ok(node.consumers.some(({ node: to, op }) => to === "pool1" && op === "MaxPool"));
  assert.deepEqual(
    node.attrs.find(({ name }) => name === "T"),
    { name: "T", kind: "type", value: "float32" },
  );
  assert.equal(node.outputs[0].dtype, "float32");
  const pool = here.node("pool1").node;
  assert.deepEqual(pool.attrs.find(({ name }) => name === "ksize").value, [1, 2, 2, 1]);
  const there = await openInWorker(meta);
  assert.deepEqual(await there.node("conv1/relu"), here.node("conv1/relu"));
  await assert.rejects(
    there.node("conv1/rel"),
    ({ code, message }) => code === "not-in-graph" && message.includes("conv1/relu"),
  );
});

test("every node of the sample is told, and each edge from both its ends", async () => {
  const model = await open(meta);
  for (const { name, op, inputs } of model.list("nodes").nodes) {
    const { node } = model.node(name);
    assert.equal(node.op, op);
    assert.deepEqual(
      node.inputs.map(({ tensor }) => tensor),
      inputs,
    );
    for (const { node: from, port } of node.inputs.slice(0, 2)) {
      assert.ok(
        model.node(from).node.consumers.some((each) => each.node === name && each.port === port),
        `${from} to ${name}`,
      );
    }
  }
});

test("a part of a weight is that part, here and in the worker", async () => {
  const here = await open(meta);
  const there = await openInWorker(meta);
  const whole = await here.weight("hidden/weights");
  const some = { first: 100, count: 7 };
  assert.deepEqual((await here.weight("hidden/weights", some)).data, whole.data.slice(100, 107));
  assert.deepEqual((await there.weight("hidden/weights", some)).data, whole.data.slice(100, 107));
  assert.equal((await here.weight("hidden/weights", { first: whole.data.length - 2, count: 10 })).data.length, 2);
});

test("statistics are those of the numbers", async () => {
  const model = await open(meta);
  const { data } = await model.weight("hidden/weights");
  const { count, least, most, mean, deviation, histogram } = await model.statistics("hidden/weights");
  const numbers = Array.from(data);
  const average = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  assert.equal(count, numbers.length);
  assert.equal(least, Math.min(...numbers));
  assert.equal(most, Math.max(...numbers));
  assert.ok(Math.abs(mean - average) < 1e-12);
  assert.ok(
    Math.abs(deviation - Math.sqrt(numbers.reduce((sum, each) => sum + (each - average) ** 2, 0) / count)) < 1e-12,
  );
  assert.equal(
    histogram.reduce((sum, each) => sum + each, 0),
    count,
  );
  assert.equal(histogram[0], numbers.filter((each) => each < least + (most - least) / histogram.length).length);
  assert.deepEqual(
    await (await openInWorker(meta)).statistics("hidden/weights"),
    await model.statistics("hidden/weights"),
  );
});

test("what is no number is counted apart", async () => {
  const found = await statisticsOf("F32", new Float32Array([NaN, 1, -3, 0, Infinity, -Infinity, NaN]));
  const { count, zeros, nans, infinities, least, most, mean } = found;
  assert.deepEqual(
    { count, zeros, nans, infinities, least, most },
    { count: 7, zeros: 1, nans: 2, infinities: 2, least: -3, most: 1 },
  );
  assert.ok(Math.abs(mean + 2 / 3) < 1e-12);
  const none = await statisticsOf("F32", new Float32Array([NaN]));
  assert.deepEqual([none.least, none.mean, none.histogram], [null, null, []]);
});

test("halves and their like are read as numbers", async () => {
  const halves = await statisticsOf("F16", new Uint16Array([0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00]));
  assert.deepEqual([halves.least, halves.most, halves.infinities], [-2, 65504, 1]);
  const brain = await statisticsOf("BF16", new Uint16Array([0x3f80, 0xc000, 0x7fc0]));
  assert.deepEqual([brain.least, brain.most, brain.nans], [-2, 1, 1]);
  const whole = await statisticsOf("I64", new BigInt64Array([5n, -7n]));
  assert.deepEqual([whole.least, whole.most, whole.mean], [-7, 5, -1]);
});

test("the table of nodes says what the list of nodes says, here and in the worker", async () => {
  const here = await open(meta);
  const { nodes } = here.list("nodes");
  const sizes = new Map(here.list("weights").weights.map(({ node, bytes }) => [node, bytes]));
  for (const table of [here.nodes(), await (await openInWorker(meta)).nodes()]) {
    assert.equal(table.length, nodes.length);
    nodes.forEach(({ name, op, inputs, device }, at) => {
      assert.equal(table.name(at), name);
      assert.equal(table.op(at), op);
      assert.equal(table.device(at), device);
      assert.deepEqual(table.inputs(at), inputs);
      assert.equal(table.inputCount(at), inputs.length);
      assert.equal(table.bytes(at), sizes.get(name) ?? 0);
      assert.equal(table.find(name), at);
    });
    assert.equal(table.find("never"), -1);
  }
  assert.throws(() => here.nodes({ function: "never" }), { name: "CryographError" });
});

test("names that are not ASCII are found in the table of nodes", async () => {
  const text = 'node { name: "é" op: "Placeholder" } node { name: "y" op: "Identity" input: "é" }';
  const model = await open({ "g.pbtxt": new TextEncoder().encode(text) });
  const table = model.nodes();
  assert.deepEqual([table.name(0), table.name(1), table.inputs(1)], ["é", "y", ["é"]]);
  assert.deepEqual([table.find("é"), table.find("y"), table.find("z")], [0, 1, -1]);
});
