import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { writeSparseCheckpoint } from "../e2e/protobuf.mjs";
import { openedIn, sample, scratch } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");

async function once() {
  const model = await open(meta);
  const frozen = await model.freeze();
  const thawed = await frozen.unfreeze();
  const files = await thawed.write({ as: "checkpoint", out: "thawed.ckpt" });
  assert.ok(files.length > 0);
  for (const each of [model, frozen, thawed]) each[Symbol.dispose]();
}

// Returns the memory of WebAssembly, which never shrinks: V8's memory outside of its heap, without arrays.
function wasmMemory() {
  const { external, arrayBuffers } = process.memoryUsage();
  return external - arrayBuffers;
}

async function grown(turns, work) {
  for (let i = 0; i < 20; i++) await work();
  const before = wasmMemory();
  for (let i = 0; i < turns; i++) await work();
  return wasmMemory() - before;
}

test("200 opens, freezes and un-freezes do not grow", async () => {
  const growth = await grown(200, once);
  assert.ok(growth < 2e6, `${growth} bytes`);
});

test("1,000 opens do not grow", async () => {
  const growth = await grown(1000, async () => (await open(meta)).close());
  assert.ok(growth < 1e6, `${growth} bytes`);
});

test("200 failed opens do not grow", async () => {
  const growth = await grown(200, () => assert.rejects(open(new Uint8Array(100_000).fill(0x0a))));
  assert.ok(growth < 2e6, `${growth} bytes`);
});

test("50 models at once, each freed, leave nothing", async () => {
  const growth = await grown(5, async () => {
    const models = await Promise.all(Array.from({ length: 50 }, () => open(meta)));
    const frozen = await Promise.all(models.map((model) => model.freeze()));
    assert.equal(new Set(frozen.map((model) => JSON.stringify(model.inspect()))).size, 1);
    for (const each of [...models, ...frozen]) each.close();
  });
  assert.ok(growth < 2e6, `${growth} bytes`);
});

test("aborted opens do not grow", async () => {
  const growth = await grown(200, () => {
    const midway = new AbortController();
    return assert.rejects(open(meta, { signal: midway.signal, onProgress: () => midway.abort() }), {
      name: "AbortError",
    });
  });
  assert.ok(growth < 1e6, `${growth} bytes`);
});

test("closed models hold no file open", async () => {
  for (let i = 0; i < 10; i++) await once();
  assert.deepEqual(openedIn(sample), []);
});

// In a process of its own, whose memory is this model's alone.
test("a model of 3 GB is frozen, and streamed, in less than 150 MB", (t) => {
  const folder = scratch(t);
  writeSparseCheckpoint(folder, 3);
  const script = `
    import { open } from ${JSON.stringify(import.meta.resolve("cryograph"))};
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
    const frozen = await (await open(${JSON.stringify(join(folder, "huge.ckpt"))})).freeze();
    let bytes = 0;
    for (const file of await frozen.write({ as: "tfjs" }))
      for await (const chunk of file.stream()) bytes += chunk.length;
    clearInterval(timer);
    console.log(JSON.stringify({ most, bytes }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  const { most, bytes } = JSON.parse(stdout);
  t.diagnostic(`${bytes} bytes, at most ${(most / 1e6).toFixed(0)} MB of memory`);
  assert.ok(bytes > 3e9);
  assert.ok(most > 0 && most < 150e6, `${most} bytes`);
});
