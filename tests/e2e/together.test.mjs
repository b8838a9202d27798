// Files that belong together, as one .zip or written into a folder: never held in memory, nothing replaced.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, perform, prepare, status } from "./browser.mjs";
import { writeSparseCheckpoint } from "./protobuf.mjs";
import { checkpointFiles, chooseOwnFolder, data, native, same, sample, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");

async function pruned(t, prepared) {
  const page = await (prepared ? browser.loaded(t) : browser.page(t));
  if (prepared) await page.evaluate(prepared);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  await perform(page, "Prune");
  return page;
}

async function zipOf(page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download .zip" }).first().click(),
  ]);
  return { [download.suggestedFilename()]: readFileSync(await download.path()) };
}

test("the files of a result as one .zip are what the native program writes", async (t) => {
  const page = await pruned(t);
  same(await zipOf(page), native(t, "prune", kMeta, "model.pruned.ckpt.zip", "--outputs", "probabilities"));
  await page.getByRole("link", { name: /model\.pruned\.ckpt\.zip/ }).waitFor();
  await prepare(page, "checkpoint");
  same(await zipOf(page), native(t, "convert", opened(t), "model.ckpt.zip", "--as", "checkpoint"));
});

// The files that the page has open then.
function opened(t) {
  const folder = scratch(t);
  const files = native(t, "prune", kMeta, "model.ckpt", "--outputs", "probabilities");
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return join(folder, "model.ckpt.meta");
}

test("a repaired SavedModel is a .zip with its folder", async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await page.locator("#model-title").getByText("tables").waitFor();
  await perform(page, "Validate");
  const mend = page.getByRole("button", { name: "Repair" });
  if ((await mend.count()) === 0) return t.skip("there is nothing to mend in it");
  await mend.click();
  await page.locator(".result-card").waitFor();
  const [name] = Object.keys(await zipOf(page));
  assert.equal(name, "tables.repaired.zip");
});

test("a .zip of 1 GB takes its checksums, and no memory", async (t) => {
  const page = await browser.loaded(t);
  const folder = scratch(t);
  writeSparseCheckpoint(folder, 1);
  await give(
    page,
    readdirSync(folder).map((name) => join(folder, name)),
  );
  await calm(page);
  for (const box of await page.locator(".choice input").all()) await box.check();
  await perform(page, "Prune"); // its stored checksums are compared, which reads it once
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = () => {};
  }); // it is not put on the disk here
  await page.getByRole("button", { name: "Download .zip" }).first().click();
  await page.locator(".zipped").getByText("1.00 GB").waitFor();
  const { usedJSHeapSize } = await page.evaluate(() => ({ usedJSHeapSize: performance.memory.usedJSHeapSize }));
  t.diagnostic(`a .zip of 1 GB: ${(usedJSHeapSize / 1e6).toFixed(0)} MB of heap`);
  assert.ok(usedJSHeapSize < 100e6);
});

test("the files of a result are written into a folder, and none is replaced", async (t) => {
  const page = await pruned(t, chooseOwnFolder);
  const save = page.getByRole("button", { name: "Save to folder…" }).first();
  await save.click();
  await page.getByText("3 files written into the folder chosen.").waitFor();
  assert.match(await status(page), /^3 files written/);
  const written = await page.evaluate(async () => {
    const files = {};
    for await (const handle of (await window.showDirectoryPicker()).values()) {
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      files[handle.name] = [...bytes];
    }
    return files;
  });
  const ours = Object.fromEntries(Object.entries(written).map(([name, bytes]) => [name, Buffer.from(bytes)]));
  same(ours, native(t, "prune", kMeta, "model.pruned.ckpt", "--outputs", "probabilities"));
  await save.click();
  await page.locator(".failure").waitFor();
  assert.match(
    await page.locator(".failure").textContent(),
    /The folder chosen has a model\.pruned\.ckpt\.\S+ already/,
  );
});

test("a disk that refuses is an error, and what was begun is taken back", async (t) => {
  const page = await pruned(t, chooseOwnFolder);
  await page.evaluate(() => {
    const { write } = FileSystemWritableFileStream.prototype;
    let writes = 0;
    FileSystemWritableFileStream.prototype.write = function (...all) {
      if (++writes > 1) throw new DOMException("no room left", "QuotaExceededError");
      return write.apply(this, all);
    };
  });
  await page.getByRole("button", { name: "Save to folder…" }).first().click();
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /Cannot write into the folder chosen: no room left/);
  const left = await page.evaluate(async () => {
    const names = [];
    for await (const name of (await window.showDirectoryPicker()).keys()) names.push(name);
    return names;
  });
  assert.deepEqual(left, []);
});

test("no folder chosen after all is no error, and a browser without folders does not offer them", async (t) => {
  const page = await pruned(t, () => {
    window.showDirectoryPicker = async () => {
      throw new DOMException("The user aborted a request.", "AbortError");
    };
  });
  await page.getByRole("button", { name: "Save to folder…" }).first().click();
  await page.locator('main[aria-busy="false"]').waitFor();
  assert.equal(await page.locator(".failure").count(), 0);
  const without = await browser.page(t);
  await without.evaluate(() => {
    delete window.showDirectoryPicker;
  });
  await give(without, checkpointFiles(sample, "model.ckpt"));
  await perform(without, "Prune");
  assert.equal(await without.getByRole("button", { name: "Save to folder…" }).count(), 0);
});
