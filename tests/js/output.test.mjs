import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { openedIn, sample, scratch } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");

async function frozenFile() {
  const model = await open(meta);
  const frozen = await model.freeze();
  const files = await frozen.write({ as: "pb" });
  assert.equal(files.length, 1);
  return files[0];
}

test("blob, stream, bytes and save give the same bytes, also after the model is closed", async (t) => {
  const file = await frozenFile();
  const bytes = await file.bytes();
  assert.equal(bytes.length, file.size);
  assert.deepEqual(new Uint8Array(await file.blob().arrayBuffer()), bytes);
  assert.deepEqual(new Uint8Array(await new Response(file.stream()).arrayBuffer()), bytes);
  const path = await file.save(join(scratch(t), "new", "frozen.pb"));
  assert.deepEqual(new Uint8Array(readFileSync(path)), bytes);
});

test("without a name of its own a file is saved into the folder given", async (t) => {
  const folder = scratch(t);
  const file = await frozenFile();
  assert.equal(await file.save(folder), join(folder, file.path));
  assert.equal(await file.save(`${folder}/sub/`), join(folder, "sub", file.path));
});

test("the output may be the input", async (t) => {
  const folder = scratch(t);
  const path = join(folder, "model.pb");
  await (await frozenFile()).save(path);
  const before = readFileSync(path);
  const model = await open(path);
  const [file] = await model.write({ as: "pb" });
  await file.save(path);
  assert.deepEqual(readFileSync(path), before);
  assert.deepEqual(readdirSync(folder), ["model.pb"]);
});

test("save refuses to replace a file where told so", async (t) => {
  const path = join(scratch(t), "model.pb");
  writeFileSync(path, "mine");
  await assert.rejects((await frozenFile()).save(path, { force: false }), { code: "output-exists" });
  assert.equal(readFileSync(path, "utf8"), "mine");
});

test("a failed or aborted save leaves nothing behind and the old file in place", async (t) => {
  const folder = scratch(t);
  const path = join(folder, "model.pb");
  writeFileSync(path, "mine");
  const midway = new AbortController();
  const file = await frozenFile();
  const saving = file.save(path, { signal: midway.signal, onProgress: () => midway.abort() });
  await assert.rejects(saving, { name: "AbortError" });
  assert.equal(readFileSync(path, "utf8"), "mine");
  assert.deepEqual(readdirSync(folder), ["model.pb"]);
});

test("a disk that refuses is an error", async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, "file"), "");
  const file = await frozenFile();
  await assert.rejects(file.save(join(folder, "file", "model.pb")), { code: "write-failed" });
});

test(
  "a stream that nobody reads on lets the input go",
  { skip: !existsSync("/proc/self/fd") && "NOT RUN: no /proc here" },
  async (t) => {
    const folder = scratch(t);
    for (const name of readdirSync(sample))
      if (name.startsWith("model")) copyFileSync(join(sample, name), join(folder, name));
    const model = await open(join(folder, "model.ckpt.meta"));
    const files = await model.write({ as: "checkpoint", out: "copy.ckpt" });
    model.close();
    const reader = files
      .find(({ path }) => path.includes("data"))
      .stream()
      .getReader();
    await reader.read();
    assert.deepEqual(openedIn(folder), ["model.ckpt.data-00000-of-00001"]);
    await reader.cancel();
    assert.deepEqual(openedIn(folder), []);
  },
);

test("a checkpoint is written whole: its index, its data, its meta", async () => {
  const model = await open(meta);
  const files = await model.write({ as: "checkpoint", out: "some/where/copy.ckpt" });
  assert.deepEqual(
    files
      .map(({ path }) => path)
      .filter((path) => path.startsWith("copy.ckpt"))
      .sort(),
    ["copy.ckpt.data-00000-of-00001", "copy.ckpt.index", "copy.ckpt.meta"],
  );
  assert.equal(files.report.outputs.length, files.length);
});

test("a weight has its dtype, its shape and its values", async () => {
  const model = await open(meta);
  const { weights } = model.list("weights");
  const { name, shape, dtype } = weights.find((weight) => weight.dtype === "float32" && weight.shape.length === 2);
  const weight = await model.weight(name);
  assert.equal(weight.dtype, dtype);
  assert.deepEqual(weight.shape, shape);
  assert.ok(weight.data instanceof Float32Array);
  assert.equal(weight.data.length, shape[0] * shape[1]);
  const frozen = await model.freeze();
  assert.deepEqual((await frozen.weight(name)).data, weight.data);
  await assert.rejects(model.weight("no/such/weight"), { name: "CryographError" });
});
