import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { open as openHere } from "cryograph";
import { init, open } from "cryograph/worker";
import { data, metaFiles, sample } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");
const kFreezes = 55;

async function freezeAll(paths) {
  const results = await Promise.allSettled(
    paths.map(async (path) => {
      const model = await open(path);
      const frozen = await model.freeze();
      await frozen.write({ as: "pb" });
      for (const each of [model, frozen]) each.close();
    }),
  );
  for (const { reason } of results) assert.ok(!reason || reason.name === "CryographError", reason?.stack);
}

test("two workers share 55 models, each freezes its own", async () => {
  const counts = [];
  await init({ workers: 2, worker: () => counting(counts) });
  const models = [sample, ...metaFiles(data)];
  await freezeAll(Array.from({ length: kFreezes }, (_, i) => models[i % models.length]));
  assert.deepEqual(counts.map(({ opened }) => opened).sort(), [27, 28]);
  for (const { opened, called } of counts) assert.ok(called >= opened, `${called} calls of ${opened} models`);
  await init();
});

// A worker that counts its requests.
function counting(counts) {
  const worker = new Worker(new URL(import.meta.resolve("cryograph/worker_host")));
  const count = { opened: 0, called: 0 };
  counts.push(count);
  const { postMessage } = worker;
  worker.postMessage = function (message, ...rest) {
    if (message.request?.do === "make") count.opened++;
    if (message.request?.do === "call") count.called++;
    return postMessage.call(this, message, ...rest);
  };
  return worker;
}

test("models of different workers of a pool are for one call", async () => {
  await init({ workers: 2 });
  const [a, b] = await Promise.all([open(meta), open(meta)]);
  const [here, other] = [await openHere(meta), await openHere(meta)];
  assert.deepEqual(await a.diff(b), await here.diff(other));
  const both = await Promise.all([a.freeze(), b.freeze()]);
  assert.equal((await both[0].diff(both[1])).equal, true);
  const made = await a.transfer({ from: both[1] });
  assert.deepEqual(made.report.matched, (await here.transfer({ from: await other.freeze() })).report.matched);
  b.close();
  await assert.rejects(a.diff(b), { code: "model-closed" });
  await init();
  assert.ok((await a.inspect()).nodes > 0);
});

test("an aborted call ends one worker; those of other workers go on", async () => {
  await init({ workers: 2 });
  const [a, b] = await Promise.all([open(meta), open(meta)]);
  const now = new AbortController();
  const going = b.validate();
  const aborted = a.freeze({ signal: now.signal });
  queueMicrotask(() => now.abort());
  await assert.rejects(aborted, { name: "AbortError" });
  assert.equal((await going).valid, true);
  assert.ok((await a.inspect()).nodes > 0);
  await init();
});

test("a worker comes from a function or an address", async () => {
  const address = import.meta.resolve("cryograph/worker_host");
  let made = 0;
  const worker = () => {
    made++;
    return new Worker(new URL(address));
  };
  for (const options of [{ worker }, { workerUrl: address }, { workerUrl: new URL(address) }]) {
    await init(options);
    assert.ok((await (await open(meta)).inspect()).nodes > 0);
  }
  assert.equal(made, 1);
  const workerUrl = new URL("nothing_here.js", address);
  await init({ workerUrl });
  await assert.rejects(open(meta), (error) => error.code === "worker-lost" && error.message.includes(workerUrl.href));
  await init();
});
