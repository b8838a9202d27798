// Size does not matter: what is not looked at is not read.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, perform, prepare, press } from "./browser.mjs";
import { writeSparseCheckpoint, writeSparseGraph } from "./protobuf.mjs";
import { scratch, withBrowser } from "./support.mjs";

/* global FileReaderSync -- of the worker */
const browser = withBrowser();
const kMaxBytes = 1e6;

test("a checkpoint of 3 GB is opened by its structure; protobuf's limit refuses to freeze it", async (t) => {
  const page = await browser.loaded(t);
  const folder = scratch(t);
  writeSparseCheckpoint(folder, 3);
  await readsLittle(
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

test("a frozen graph of 1.9 GB is opened and pruned by its structure", async (t) => {
  const page = await browser.loaded(t);
  const path = join(scratch(t), "big.pb");
  writeSparseGraph(path, 475000);
  await readsLittle(t, page, [path], "big.pb, 1.9 GB");
  await perform(page, "Prune");
  assert.match(await page.locator(".downloads").textContent(), /big\.pruned\.pb\s+1\.90 GB/);
  assert.ok((await bytesRead(page)) < kMaxBytes);
});

test("the page gets a step's report, summary and files in one answer", async (t) => {
  const page = await browser.loaded(t);
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

async function readsLittle(t, page, files, what) {
  await page.getByRole("button", { name: "Try the sample" }).click(); // starts the worker
  await calm(page);
  await page.workers()[0].evaluate(() => {
    const read = FileReaderSync.prototype.readAsArrayBuffer;
    self.bytesRead = 0;
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      self.bytesRead += blob.size;
      return read.call(this, blob);
    };
  });
  await give(page, files);
  await page.locator(".model-tab").nth(1).waitFor();
  await calm(page);
  const bytes = await bytesRead(page);
  t.diagnostic(`${what}: ${bytes} bytes read (goal ${kMaxBytes})`);
  assert.ok(bytes > 0 && bytes < kMaxBytes, `${bytes} bytes`);
}

function bytesRead(page) {
  return page.workers()[0].evaluate(() => self.bytesRead);
}
