// Size does not matter: what is not looked at is not read.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, openingTime, perform, prepare, press } from "./browser.mjs";
import { writeSparseCheckpoint, writeSparseGraph } from "./protobuf.mjs";
import { scratch, withBrowser } from "./support.mjs";

/* global FileReaderSync -- of the worker */
const browser = withBrowser();
const kMostMilliseconds = 50;
const kMostBytes = 1e6;

test("a checkpoint of 3 GB opens at once; protobuf's limit refuses to freeze it", async (t) => {
  const page = await browser.page(t);
  const folder = scratch(t);
  writeSparseCheckpoint(folder, 3);
  await opensAtOnce(
    t,
    page,
    readdirSync(folder).map((name) => join(folder, name)),
    "huge.ckpt.meta, 3 GB",
  );
  for (const box of await page.locator(".choice input").all()) await box.check();
  await press(page, "Freeze");
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /2 GiB/);
});

test("a frozen graph of 1.9 GB opens at once, and pruning it reads nothing more to speak of", async (t) => {
  const page = await browser.page(t);
  const path = join(scratch(t), "big.pb");
  writeSparseGraph(path, 475000);
  await opensAtOnce(t, page, [path], "big.pb, 1.9 GB");
  await perform(page, "Prune");
  assert.match(await page.locator(".downloads").textContent(), /big\.pruned\.pb\s+1\.90 GB/);
  assert.ok((await bytesRead(page)) < kMostBytes);
});

test("the page gets a step's report, summary and files in one answer", async (t) => {
  const page = await browser.page(t);
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.requests = [];
    Worker.prototype.postMessage = function (message) {
      const { calls, steps } = message.request ?? {};
      if (calls) window.requests.push([...(steps ? ["open"] : []), ...calls.map(({ method }) => method)].join(" "));
      return post.call(this, message);
    };
  });
  const describing = () =>
    page.evaluate(() => window.requests.splice(0).filter((each) => /open|inspect|write/i.test(each)));
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  assert.deepEqual(await describing(), ["open inspect"]);
  await perform(page, "Freeze"); // whose model is there already, of the preview
  assert.deepEqual(await describing(), ["inspect writeOutputs"]);
  await prepare(page, "npz");
  assert.deepEqual(await describing(), ["weights write"]);
});

// The best of some: the machine may be busy with other things.
async function opensAtOnce(t, page, files, what) {
  await page.getByRole("button", { name: "Try the sample" }).click(); // starts the worker, compiles the core
  await page.locator(".model-card").waitFor();
  await page.workers()[0].evaluate(() => {
    const read = FileReaderSync.prototype.readAsArrayBuffer;
    self.bytesRead = 0;
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      self.bytesRead += blob.size;
      return read.call(this, blob);
    };
  });
  const times = [];
  let bytes = 0;
  for (let i = 0; i < 6; i++) {
    await page.evaluate(() => performance.clearMeasures());
    const before = await bytesRead(page);
    await give(page, files);
    times.push(await openingTime(page));
    bytes = (await bytesRead(page)) - before;
  }
  const best = Math.min(...times);
  t.diagnostic(
    `${what}: opened and inspected in ${best.toFixed(1)} ms (goal ${kMostMilliseconds}), ` +
      `${bytes} bytes read (goal ${kMostBytes})`,
  );
  assert.ok(bytes > 0 && bytes < kMostBytes, `${bytes} bytes`);
}

function bytesRead(page) {
  return page.workers()[0].evaluate(() => self.bytesRead);
}
