import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { data, sample, scratch } from "./support.mjs";

const isData = (name) => name.includes(".data-");

// The sample with one byte of its weights changed.
function damaged(t) {
  const folder = join(scratch(t), "model");
  cpSync(sample, folder, { recursive: true });
  const data = join(folder, readdirSync(folder).find(isData));
  const bytes = readFileSync(data);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(data, bytes);
  return join(folder, "model.ckpt.meta");
}

const isChecksum = (error) => {
  assert.equal(error.code, "checksum");
  assert.ok(error.diagnostics[0].where.tensor);
  assert.ok(isData(error.diagnostics[0].where.file));
  return true;
};

test("a damaged weight is refused however an output is read", async (t) => {
  const model = await open(damaged(t));
  for (const as of ["checkpoint", "checkpoint-v1", "npz", "safetensors"]) {
    const weights = await model.weights();
    const all = async () => {
      for (const file of await weights.write({ as })) {
        await file.bytes();
      }
    };
    await assert.rejects(all, isChecksum, as);
  }
  const weights = await model.weights();
  const file = (await weights.write({ as: "checkpoint" })).find(({ path }) => isData(path));
  assert.throws(() => file.blob(), isChecksum);
  await assert.rejects(new Response(file.stream()).arrayBuffer(), isChecksum);
  const out = join(scratch(t), "out");
  await assert.rejects(file.save(out), isChecksum);
  assert.ok(!existsSync(out));
});

test("with noChecksum it is copied", async (t) => {
  const model = await open(damaged(t), { noChecksum: true });
  const files = await (await model.weights()).write({ as: "checkpoint" });
  assert.deepEqual(files.report.checked, { tensors: 0, bytes: 0 });
  for (const file of files) await file.bytes();
});

test("of a damaged graph, what is whole", async (t) => {
  const bytes = readFileSync(join(data, "ref/frozen.pb"));
  const path = join(scratch(t), "cut.pb");
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  await assert.rejects(open(path), { code: "malformed-message" });
  const model = await open(path, { salvage: true });
  const warned = (report) => report.diagnostics.some(({ code }) => code === "parts-lost");
  assert.ok(warned(model.inspect()));
  const whole = await model.convert({ salvage: true });
  assert.ok(warned(whole.report));
  assert.equal(whole.report.lost.at(-1).file, path);
  const [file] = await whole.write({ as: "pb" });
  const written = await file.bytes();
  assert.deepEqual(Buffer.from(written), bytes.subarray(0, written.length));
  assert.equal(whole.report.lost.at(-1).offset, written.length);
  assert.deepEqual((await (await open(join(data, "ref/frozen.pb"))).convert({ salvage: true })).report.lost, []);
});

test("of a damaged archive, what is whole", async (t) => {
  const bytes = readFileSync(join(data, "archives/stored.npz"));
  const path = join(scratch(t), "cut.npz");
  writeFileSync(path, bytes.subarray(0, bytes.indexOf("PK\u0001\u0002")));
  await assert.rejects(open(path), { code: "bad-zip" });
  const model = await open(path, { salvage: true });
  const { report } = await model.weights({ salvage: true });
  assert.equal(report.lost[0].what, "directory");
  assert.equal(report.lost[0].offset, bytes.indexOf("PK\u0001\u0002"));
  assert.ok(report.diagnostics.some(({ code }) => code === "weights-lost"));
  assert.ok(report.after.variables > 0);
});

test("reports say what is checked, and a good model passes", async () => {
  const model = await open(join(sample, "model.ckpt.meta"));
  const files = await (await model.weights()).write({ as: "checkpoint" });
  const data = files.find(({ path }) => isData(path));
  assert.equal(files.report.checked.bytes, data.size);
  assert.equal(data.blob().size, data.size);
  assert.equal((await data.bytes()).length, data.size);
});

test("a worker compares before it hands an output over", async (t) => {
  const model = await openInWorker(damaged(t));
  const weights = await model.weights();
  await assert.rejects(weights.write({ as: "checkpoint" }), isChecksum);
  model.close();
});
