// compat: which TensorFlow releases and runtimes load and run a graph. Its data is a chunk of its own, loaded when it is called.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import * as inline from "cryograph/inline";
import * as here from "cryograph";
import * as worker from "cryograph/worker";
import { command, data, native, root, scratch } from "./support.mjs";

const path = join(data, "frozen_convnet/graph.pb");
const checkpoint = join(data, "resource/model.ckpt.meta");
const dist = join(root, "dist");

const find = ({ targets }, name) => targets.find((each) => each.name === name);

test("releases and runtimes have a verdict each, and a blocker names a node and the option that removes it", async () => {
  const model = await here.open(path);
  const report = await model.compat();
  assert.equal(report.verb, "compat");
  const names = report.targets.map(({ name }) => name);
  assert.equal(names[0], "tensorflow-1.2");
  const runtimes = ["tfjs", "tflite", "tflite-select", "onnx", "openvino", "opencv"];
  assert.deepEqual(names.slice(-7), ["tensorflow-2.21", ...runtimes]);
  for (const each of report.targets) assert.equal("version" in each, runtimes.includes(each.name), each.name);
  assert.equal(new Set(names).size, names.length);
  const { loads, runs, blockers } = find(report, "tensorflow-2.21");
  assert.deepEqual({ loads, runs, blockers }, { loads: true, runs: true, blockers: [] });
  const old = find(report, "tensorflow-1.13");
  assert.equal(old.loads, false);
  assert.equal(old.runs, false);
  const blocker = old.blockers.find(({ attr }) => attr === "explicit_paddings");
  assert.equal(model.node(blocker.node).node.op, blocker.op);
  assert.equal(blocker.fix, "freeze with { stripDefaults: true }");
  assert.equal(old.fix, blocker.fix);
  assert.equal(find(report, "tensorflow-1.4").fix, 'freeze with { for: "tensorflow-1.4" }');
  const stripped = await model.freeze({ stripDefaults: true });
  assert.equal(find(await stripped.compat(), "tensorflow-1.13").runs, true);
});

test("freeze makes the forms of an earlier release, here, in the worker and in the inlined core", async () => {
  await worker.init();
  for (const open of [here.open, worker.open, inline.open]) {
    const model = await open(open === inline.open ? readFileSync(path) : path, {});
    const fitted = await model.freeze({ for: "tensorflow-1.4" });
    assert.ok(fitted.report.changes.every(({ change, changesNumbers }) => change === "older-form" && !changesNumbers));
    assert.ok(fitted.report.changes.length > 0);
    const { targets } = await fitted.compat({ target: "tensorflow-1.4" });
    assert.equal(targets[0].runs, true);
    await assert.rejects(model.freeze({ for: "tensorflow-1.51" }), { code: "bad-option", message: /did you mean/ });
    await assert.rejects(model.freeze({ for: 4 }), { code: "bad-option" });
    model.close();
  }
});

test("the targets may be named", async () => {
  const model = await here.open(path);
  const all = await model.compat();
  for (const target of ["tfjs,tensorflow-1.15", ["tfjs", "tensorflow-1.15"]]) {
    const { targets } = await model.compat({ target });
    assert.deepEqual(targets, [find(all, "tfjs"), find(all, "tensorflow-1.15")]);
  }
  await assert.rejects(model.compat({ target: "tensorflow-1.51" }), {
    code: "bad-option",
    message: /'tensorflow-1\.51' \(did you mean /,
  });
  await assert.rejects(model.compat({ target: 1 }), { code: "bad-option" });
  await assert.rejects(model.compat("tfjs"), { code: "bad-argument" });
});

test("the worker, a pool of them and the inlined core have the same report", async () => {
  const model = await here.open(path);
  const report = await model.compat();
  const inlined = await inline.open(readFileSync(path), {});
  assert.deepEqual((await inlined.compat()).targets, report.targets);
  for (const workers of [1, 2]) {
    await worker.init({ workers });
    const models = await Promise.all([1, 2, 3].map(() => worker.open(path)));
    const reports = await Promise.all(models.map((each) => each.compat({ verbose: true })));
    for (const each of reports) assert.deepEqual(each, report);
    const [, inTheSameRequest] = await models[0].run([{ method: "freeze" }, { method: "compat" }], {});
    assert.equal(inTheSameRequest.targets.length, report.targets.length);
    for (const each of models) each.close();
  }
  await worker.init();
});

test("a model without a graph, a closed one and an aborted call", async () => {
  const weights = await (await here.open(checkpoint)).weights();
  await assert.rejects(weights.compat(), { code: "no-graph" });
  const model = await here.open(path);
  const signal = AbortSignal.abort();
  await assert.rejects(model.compat({ signal }), { name: "AbortError" });
  model.close();
  await assert.rejects(model.compat(), { code: "model-closed" });
});

test("nothing but releases.js has the data, and it is loaded when compat is called", async (t) => {
  const start = readFileSync(join(dist, "releases.js"), "utf8").slice(0, 200).split('"')[1];
  assert.ok(start.length > 100);
  const texts = readdirSync(dist).filter((name) => /\.(js|wasm)$/.test(name));
  assert.deepEqual(
    texts.filter((name) => readFileSync(join(dist, name), "latin1").includes(start)),
    ["releases.js"],
  );
  for (const name of texts.filter((each) => each.endsWith(".js")))
    assert.doesNotMatch(readFileSync(join(dist, name), "utf8"), /from ?"\.\/releases\.js"/, name);
  const size = readFileSync(join(dist, "releases.js")).length;
  t.diagnostic(`releases.js ${size} bytes`);
  assert.ok(size < 150e3);

  const folder = scratch(t);
  cpSync(dist, folder, { recursive: true });
  renameSync(join(folder, "releases.js"), join(folder, "elsewhere.js"));
  for (const entry of ["node.js", "worker_node.js"]) {
    const { open } = await import(pathToFileURL(join(folder, entry)).href);
    const model = await open(path);
    assert.ok((await model.inspect()).nodes > 0);
    await assert.rejects(model.compat(), { code: "ops-not-loaded", message: /releases\.js/ });
    assert.equal((await model.validate()).valid, true);
    model.close();
  }
});

test("core.wasm does not have the data", () => {
  const histories = readFileSync(join(root, "core/data/op_histories.bin"));
  const middle = histories.subarray(histories.length / 2, histories.length / 2 + 100);
  assert.ok(!readFileSync(join(dist, "core.wasm")).includes(middle));
});

test("the npm command prints what the native program prints, with its exit status", (t) => {
  const weights = join(scratch(t), "weights.npz");
  assert.equal(native(["weights", checkpoint, "-o", weights]).status, 0);
  const lines = [
    ["compat", path],
    ["compat", path, "--json"],
    ["compat", path, "--verbose"],
    ["compat", path, "--target", "tfjs,tensorflow-2.21"],
    ["compat", path, "--target", "tensorflow-1.15"],
    ["compat", path, "--target", "tensorflow-9"],
    ["compat", weights, "--json"],
    ["compat", "no/such.pb"],
    ["freeze", path, "--for", "tensorflow-1.51", "-o", weights],
  ];
  const statuses = lines.map((line) => {
    const [a, b] = [native(line), command(line)];
    assert.equal(b.stdout.toString(), a.stdout.toString(), line.join(" "));
    assert.equal(b.stderr.toString(), a.stderr.toString(), line.join(" "));
    assert.equal(b.status, a.status, line.join(" "));
    return a.status;
  });
  assert.deepEqual(statuses, [0, 0, 0, 0, 1, 2, 3, 3, 2]);
});
