// From one model to the next: undo by the usual keys, the last model's steps, results that were not downloaded, and several
// models in one drop.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, drop, give, nameOf, perform } from "./browser.mjs";
import { checkpointFiles, data, sample, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");

async function sampleOf(t) {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  return page;
}

const current = (page, title) => page.locator('.steps [aria-current="step"]').getByText(title).waitFor();

test("Ctrl Z and Ctrl Shift Z undo and redo steps, but for what is typed", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Prune");
  await page.keyboard.press("Control+z");
  await current(page, "Source");
  await page.keyboard.press("Control+Shift+Z");
  await current(page, "Pruned");
  await page.keyboard.press("Control+z");
  await current(page, "Source");
  await page.keyboard.press("Control+y");
  await current(page, "Pruned");
  await page.getByRole("tab", { name: "Prune" }).click();
  await page.getByLabel("Other outputs").pressSequentially("logits");
  await page.keyboard.press("Control+z");
  await current(page, "Pruned");
});

test("leaving the page with a result that was not downloaded asks first", async (t) => {
  const page = await sampleOf(t);
  const asks = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  assert.equal(await asks(), false);
  await perform(page, "Freeze");
  assert.equal(await asks(), true);
  await downloadAll(page);
  assert.equal(await asks(), false);
});

test("of several models in a drop one is chosen, and others later", async (t) => {
  const page = await browser.page(t);
  const folder = join(scratch(t), "models");
  mkdirSync(folder);
  copyFileSync(kGraph, join(folder, "a.pb"));
  for (const end of ["meta", "index", "data-00000-of-00001"])
    copyFileSync(join(sample, `model.ckpt.${end}`), join(folder, `model.ckpt.${end}`));
  await drop(page, [folder]);
  await page.locator("#failure-title").getByText("Couldn't open models (4 files)").waitFor();
  const chooser = page.getByRole("group", { name: /Choose one to open/ });
  await chooser.getByRole("button", { name: "model.ckpt.meta" }).click();
  await calm(page);
  assert.equal(await nameOf(page), "model.ckpt.meta");
  await page.getByText("all values found").waitFor();
  await perform(page, "Freeze");
});

test("a file that cannot be opened is named in the title", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "notes.txt", mimeType: "", buffer: readFileSync(import.meta.filename) });
  await page.locator("#failure-title").getByText("Couldn't open notes.txt").waitFor();
});
