import assert from "node:assert/strict";
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { CryographError, explain, open } from "cryograph";
import { data, filesIn, sample, scratch } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");

test("a file, its prefix, its folder and its URL open as the same model", async () => {
  const reports = [];
  for (const input of [meta, join(sample, "model.ckpt"), sample, pathToFileURL(meta)]) {
    const model = await open(input);
    const { kind, weights, nodes, variables, outputs } = model.inspect();
    reports.push({ kind, weights, nodes, variables, outputs });
  }
  assert.equal(reports[0].kind, "meta-graph");
  assert.equal(reports[0].weights, "checkpoint");
  assert.ok(reports[0].nodes > 0);
  for (const report of reports) assert.deepEqual(report, reports[0]);
});

test("Files, a record of Blobs and a record of bytes open as what they are on disk", async () => {
  const files = Object.entries(filesIn(sample)).filter(([name]) => name.startsWith("model.ckpt"));
  const onDisk = await open(meta);
  const { nodes, variables } = onDisk.inspect();
  for (const input of [
    files.map(([name, bytes]) => new File([bytes], name)),
    Object.fromEntries(files.map(([name, bytes]) => [`folder/${name}`, new Blob([bytes])])),
    Object.fromEntries(files.map(([name, bytes]) => [name, new Uint8Array(bytes)])),
  ]) {
    const model = await open(input);
    const report = model.inspect();
    assert.equal(report.kind, "meta-graph");
    assert.equal(report.weights, "checkpoint");
    assert.deepEqual([report.nodes, report.variables], [nodes, variables]);
  }
});

test("opening reads structure alone: no tensor's bytes", async () => {
  const structure = statSync(meta).size + statSync(join(sample, "model.ckpt.index")).size;
  let read = 0;
  const model = await open(meta, {
    onProgress: ({ bytes }) => {
      read = bytes;
    },
  });
  assert.ok(read > 0);
  assert.ok(read < 2 * structure + statSync(join(sample, "model.ckpt.data-00000-of-00001")).size / 2, `${read} bytes`);
  assert.ok(model.inspect().variables.bytes > 0);
});

test("a pass gives a new model and leaves the first as it was", async () => {
  const model = await open(meta);
  const before = model.inspect();
  const frozen = await model.freeze();
  assert.equal(frozen.inspect().variables.count, 0);
  assert.ok(frozen.report.converted.length > 0);
  assert.ok(frozen.report.after.nodes < frozen.report.before.nodes);
  assert.deepEqual(model.inspect(), before);
});

test("repair gives a mended model and says what it mended", async () => {
  const model = await open(join(data, "invalid/colocation_unknown.pb"));
  const before = await model.validate();
  assert.equal(before.valid, false);
  assert.equal(before.diagnostics.filter(({ fixable }) => fixable).length, 1);
  const mended = await model.repair();
  assert.equal(mended.report.valid, true);
  assert.deepEqual(
    mended.report.repaired.map(({ code }) => code),
    ["unknown-colocation"],
  );
  assert.equal((await mended.validate()).valid, true);
  assert.equal((await model.validate({ fix: true })).valid, false, "validate alone mends nothing");
});

test("explain says what a code means, and which are near one that is none", async () => {
  assert.match((await explain("unknown-colocation")).explanation, /loc:@NODE/);
  await assert.rejects(
    explain("unknown-colocations"),
    (error) =>
      error instanceof CryographError && error.status === 2 && /did you mean unknown-colocation/.test(error.message),
  );
});

test("lists may be arrays or names between commas", async () => {
  const model = await open(meta);
  const [{ name }] = model.inspect().outputs;
  const a = await model.prune({ outputs: [name] });
  const b = await model.prune({ outputs: name });
  assert.deepEqual(a.report.after, b.report.after);
});

test("what is no model is refused with what it is, where and what to do", async (t) => {
  const png = join(scratch(t), "picture.pb");
  writeFileSync(png, Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  for (const input of [
    png,
    readFileSync(png),
    new Uint8Array(0),
    join(sample, "nothing.here"),
    "/no/such/folder/model.pb",
  ]) {
    await assert.rejects(open(input), (error) => {
      assert.ok(error instanceof CryographError, String(error));
      const [diagnostic] = error.diagnostics;
      assert.equal(diagnostic.severity, "error");
      assert.match(error.code, /^[a-z0-9-]+$/);
      assert.ok(diagnostic.message.length > 0 && diagnostic.fix.length > 0, JSON.stringify(diagnostic));
      return true;
    });
  }
});

test("a Blob too large for memory is refused before it is read", async () => {
  class Large extends Blob {
    get size() {
      return 1e9;
    }
  }
  await assert.rejects(open(new Large(["x"])), { code: "too-large-here" });
});

test("a closed model says so", async () => {
  const model = await open(meta);
  model.close();
  model.close();
  assert.throws(() => model.inspect(), { code: "model-closed" });
});

test("an aborted call ends with the signal's reason, and the model stays good", async () => {
  await assert.rejects(open(meta, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const reason = new Error("enough");
  const midway = new AbortController();
  await assert.rejects(open(meta, { signal: midway.signal, onProgress: () => midway.abort(reason) }), reason);
  const model = await open(meta);
  await assert.rejects(model.freeze({ signal: AbortSignal.abort(reason) }), reason);
  const frozen = await model.freeze();
  assert.ok(frozen.inspect().nodes > 0);
});

test("an error thrown by onProgress comes out as it is, and harms nothing", async () => {
  const wrong = new TypeError("wrong in the page");
  for (let i = 0; i < 100; i++) {
    await assert.rejects(
      open(meta, {
        onProgress: () => {
          throw wrong;
        },
      }),
      (error) => error === wrong || error.cause === wrong,
    );
  }
  const model = await open(meta);
  assert.ok(model.inspect().nodes > 0);
});

test("a file replaced after opening is noticed, not mixed in", async (t) => {
  const folder = scratch(t);
  for (const name of Object.keys(filesIn(sample))) copyFileSync(join(sample, name), join(folder, name));
  const model = await open(join(folder, basename(meta)));
  const [file] = await (await model.freeze()).write({ as: "pb" });
  model.close();
  const shard = join(folder, "model.ckpt.data-00000-of-00001");
  writeFileSync(shard, Buffer.alloc(statSync(shard).size));
  await assert.rejects(
    open(folder).then(() => file.bytes()),
    { code: "source-changed" },
  );
});
