import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CryographError, explain, open } from "cryograph/worker";
import { explain as explainHere, open as openHere } from "cryograph";
import { data, sample } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");

test("reports, bytes and weights from the worker are those of this thread", async () => {
  const here = await openHere(meta);
  const there = await open(meta);
  assert.deepEqual(await there.inspect(), here.inspect());
  assert.deepEqual(await there.list("weights"), here.list("weights"));
  assert.deepEqual(await there.validate(), await here.validate());
  const frozenHere = await here.freeze();
  const frozenThere = await there.freeze();
  assert.deepEqual(frozenThere.report, frozenHere.report);
  const [fileHere] = await frozenHere.write({ as: "pb" });
  const [fileThere] = await frozenThere.write({ as: "pb" });
  assert.equal(fileThere.path, fileHere.path);
  assert.deepEqual(await fileThere.bytes(), await fileHere.bytes());
  const { name } = here.list("weights").weights[0];
  assert.deepEqual(await there.weight(name), await here.weight(name));
});

test("a model is repaired and a code explained as in this thread", async () => {
  const broken = join(data, "invalid/colocation_unknown.pb");
  const [here, there] = [await (await openHere(broken)).repair(), await (await open(broken)).repair()];
  assert.deepEqual(there.report, here.report);
  assert.deepEqual(
    await (await there.write({ as: "pb" }))[0].bytes(),
    await (await here.write({ as: "pb" }))[0].bytes(),
  );
  assert.deepEqual(await explain("cycle"), await explainHere("cycle"));
  await assert.rejects(explain("no-such-code"), (error) => error instanceof CryographError && error.status === 2);
});

test("calls in one request are each on the model that the one before made", async () => {
  const model = await open(meta);
  const write = { method: "write", options: { as: "pb" } };
  const [frozen, about, files] = await model.run([{ method: "freeze" }, { method: "inspect" }, write], {});
  assert.deepEqual(about, await frozen.inspect());
  assert.deepEqual(about.variables.count, 0);
  assert.deepEqual(files.report, (await frozen.write({ as: "pb" })).report);
  assert.deepEqual(frozen.report, (await (await openHere(meta)).freeze()).report);
  const wrong = { method: "prune", options: { outputs: "no/such" } };
  await assert.rejects(model.run([{ method: "freeze" }, wrong], {}), { name: "CryographError" });
});

test("a model that another one was made of is made again in a new worker", async () => {
  const [source, target] = [await open(meta), await open(meta)];
  const made = await target.transfer({ from: source });
  const now = new AbortController();
  await assert.rejects(open(meta, { signal: now.signal, onProgress: () => now.abort() }), { name: "AbortError" });
  source.close();
  assert.deepEqual(
    (await made.list("weights")).weights.map(({ name }) => name),
    (await target.list("weights")).weights.map(({ name }) => name),
  );
});

test("errors come back with their diagnostics", async () => {
  await assert.rejects(
    open(new Uint8Array(10)),
    (error) => error instanceof CryographError && error.diagnostics.length > 0,
  );
  const model = await open(meta);
  await assert.rejects(model.prune({ outputs: "no/such/node" }), { name: "CryographError" });
  assert.ok((await model.inspect()).nodes > 0);
});

test("what is queued can be aborted, and what runs", async () => {
  const model = await open(meta);
  const queued = new AbortController();
  const running = model.validate();
  const waiting = model.freeze({ signal: queued.signal });
  queued.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  assert.ok("valid" in (await running));
  const now = new AbortController();
  const aborted = model.freeze({ signal: now.signal });
  queueMicrotask(() => now.abort()); // the worker has it; its answer cannot be here before
  await assert.rejects(aborted, { name: "AbortError" });
});

test("models outlive the worker that an abort ended", async () => {
  const model = await open(meta);
  const frozen = await model.freeze();
  const before = [await model.inspect(), await frozen.inspect()];
  const now = new AbortController();
  const onProgress = () => now.abort(); // it runs, and its answer comes behind
  await assert.rejects(open(meta, { signal: now.signal, onProgress }), { name: "AbortError" });
  assert.deepEqual([await model.inspect(), await frozen.inspect()], before);
});

test("progress crosses from the worker", async () => {
  let bytes = 0;
  const model = await open(meta, {
    onProgress: (progress) => {
      bytes = progress.bytes;
    },
  });
  assert.ok(bytes > 0);
  assert.ok(model.report);
});

test("what cannot cross to the worker is an error of that call alone", async () => {
  const model = await open(meta);
  await assert.rejects(model.inspect({ made: () => {} }), { name: "CryographError", code: "bad-argument" });
  assert.ok((await model.inspect()).nodes > 0);
});

test("a closed model says so", async () => {
  const model = await open(meta);
  model.close();
  await assert.rejects(model.inspect(), { code: "model-closed" });
});
