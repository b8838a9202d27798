// Models of a server, read by ranges.
import assert from "node:assert/strict";
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as here from "cryograph";
import * as worker from "cryograph/worker";
import { writeSparseCheckpoint } from "../e2e/protobuf.mjs";
import { serveFiles } from "./file_server.mjs";
import { data, sample, scratch } from "./support.mjs";

const kMegabyte = 1e6;

async function bytesOf(files) {
  return Promise.all(files.map((file) => file.bytes()));
}

for (const [where, { open }] of Object.entries({ "this thread": here, "a worker": worker })) {
  test(`inspecting a checkpoint of 10 GB on a server reads less than 1 MB, in ${where}`, async (t) => {
    const folder = scratch(t);
    writeSparseCheckpoint(folder, 10);
    const server = await serveFiles(t, folder);
    const model = await open(new URL("huge.ckpt", server.url));
    const { variables, kind } = await model.inspect();
    await model.list("weights");
    t.diagnostic(`${server.sent} bytes in ${server.requests} requests`);
    assert.deepEqual([kind, variables.count, variables.bytes], ["meta-graph", 10, 10e9]);
    assert.ok(server.sent < kMegabyte, `${server.sent} bytes`);
    const frozen = await model.freeze({ outputs: "y0" });
    const part = await frozen.weight("w0", { first: 1e6, count: 1000 });
    assert.deepEqual([part.data.length, part.data[0]], [1000, 0]);
    assert.ok(server.sent < 2 * kMegabyte, `${server.sent} bytes`);
    frozen.close();
    model.close();
  });

  test(`a model on a server gives the bytes of the one on the disk, in ${where}`, async (t) => {
    const server = await serveFiles(t, sample);
    const [onDisk] = await bytesOf(await (await (await here.open(sample)).freeze()).write({ as: "pb" }));
    for (const name of ["model.ckpt", "model.ckpt.meta", "model.ckpt.index"]) {
      const model = await open(server.url + name);
      assert.equal((await model.inspect()).weights, "checkpoint", name);
      const [bytes] = await bytesOf(await (await model.freeze()).write({ as: "pb" }));
      assert.deepEqual(bytes, onDisk, name);
      assert.equal((await model.validate({ checksum: true })).sound, true);
      assert.ok((await model.statistics("conv1/weights")).count > 0);
    }
  });
}

test("all of a checkpoint's data files are found, and those of a SavedModel and of an archive", async (t) => {
  for (const [folder, name] of [
    ["shards", readdirSync(join(data, "shards")).find((each) => each.endsWith(".index"))],
    ["v1", readdirSync(join(data, "v1")).find((each) => each.endsWith(".meta"))],
  ]) {
    const server = await serveFiles(t, join(data, folder));
    const [there, local] = [await here.open(server.url + name), await here.open(join(data, folder, name))];
    assert.deepEqual(there.inspect().variables, local.inspect().variables, name);
  }
  const folder = scratch(t);
  const saved = await (await here.open(sample)).write({ as: "savedmodel", out: "saved/" });
  for (const file of saved) await file.save(join(folder, "saved", file.path.replace(/^saved\//, "")));
  const [zip] = await (await here.open(sample)).write({ out: "saved.zip", as: "savedmodel" });
  await zip.save(join(folder, "saved.zip"));
  const [json, ...weights] = await (await (await here.open(sample)).freeze()).write({ as: "tfjs", out: "model.json" });
  for (const file of [json, ...weights]) await file.save(join(folder, "tfjs", file.path));
  const server = await serveFiles(t, folder);
  for (const path of ["saved/", "saved/saved_model.pb", "saved.zip", "tfjs/", "tfjs/model.json"]) {
    const model = await here.open(server.url + path);
    assert.ok((await model.statistics("conv1/weights")).count > 0, path);
  }
});

test("addresses are members of lists and records", async (t) => {
  const server = await serveFiles(t, sample);
  const names = readdirSync(sample).filter((name) => name.startsWith("model.ckpt"));
  const urls = names.map((name) => new URL(name, server.url));
  for (const input of [urls, Object.fromEntries(urls.map((url, i) => [names[i], url]))])
    assert.equal((await here.open(input)).inspect().weights, "checkpoint");
  assert.equal(
    (await here.open(await fetch(urls.find(({ href }) => href.endsWith("meta"))))).inspect().weights,
    "variables",
  );
});

test("a server without ranges is refused, unless all may be read", async (t) => {
  const folder = scratch(t);
  for (const name of readdirSync(sample)) copyFileSync(join(sample, name), join(folder, name));
  writeSparseCheckpoint(folder, 0);
  writeFileSync(join(folder, "large.pb"), Buffer.alloc(2e6));
  const server = await serveFiles(t, folder, { ranges: false });
  await assert.rejects(here.open(new URL("large.pb", server.url)), (error) => {
    assert.equal(error.code, "no-ranges");
    assert.match(error.message, /large\.pb.*download: true/);
    return true;
  });
  await assert.rejects(
    here.open(new URL("large.pb", server.url), { download: true }),
    (error) => error.code !== "no-ranges",
  );
  const { weights } = (await here.open(`${server.url}model.ckpt`)).inspect(); // small files are read whole
  assert.equal(weights, "checkpoint");
});

test("a server that hides the size is asked for it", async (t) => {
  const folder = scratch(t);
  writeSparseCheckpoint(folder, 1);
  const server = await serveFiles(t, folder, { hidden: true });
  assert.equal((await here.open(`${server.url}huge.ckpt`)).inspect().variables.bytes, 1e9);
});

test("what is not there, does not answer or has changed is said with its address", async (t) => {
  const server = await serveFiles(t, sample);
  for (const name of ["nothing.pb", "nothing/", "nothing.ckpt.index"])
    await assert.rejects(here.open(server.url + name), (error) => {
      assert.ok(["read-failed", "bad-input"].includes(error.code), error.code);
      assert.ok(error.message.includes(server.url), error.message);
      return true;
    });
  await assert.rejects(here.open("http://127.0.0.1:9/model.pb"), { name: "CryographError", code: "read-failed" });
  await assert.rejects(here.open("ftp://127.0.0.1/model.pb"), { name: "CryographError" });
  const model = await here.open(`${server.url}model.ckpt`);
  server.stamp = '"second"';
  const [file] = await (await model.freeze()).write({ as: "pb" });
  const changed = await file.bytes().catch(({ code }) => code);
  // A file as small as this one was read whole when it was opened.
  assert.ok(changed === "source-changed" || changed.length === file.size);
});

test("a request that hangs ends with the signal", async (t) => {
  const { createServer } = await import("node:http");
  const server = createServer(() => {});
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${server.address().port}/model.pb`;
  await assert.rejects(here.open(url, { signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
});
