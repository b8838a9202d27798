// Several models open as tabs: each keeps its state, gets its own files and results, and frees its memory when it is closed.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, drop, give, nameOf, perform, press, settled, showTable, status, take } from "./browser.mjs";
import { untilMarked } from "./pictured.mjs";
import { chain, writeSparseGraph } from "./protobuf.mjs";
import { checkpointFiles, data, frozenDigits, native, same, sample, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");
const kMeta = join(sample, "model.ckpt.meta");
const kValues = checkpointFiles(sample, "model.ckpt").filter((name) => name !== kMeta);

const tab = (page, name) =>
  page.locator(".model-tabs .tab-show").filter({ has: page.getByText(name, { exact: true }) });
const names = (page) => page.locator(".model-tabs .tab-name").allTextContents();
const closer = (page, name) => page.locator(".model-tabs").getByRole("button", { name: `Close ${name}`, exact: true });
const current = (page, title) => page.locator('.steps [aria-current="step"]').getByText(title).waitFor();
const shown = (page, name) => page.locator("#model-title").getByText(name, { exact: true }).waitFor();

async function opened(page, files, name) {
  await give(page, files);
  await shown(page, name);
  await calm(page);
}

async function withSample(t) {
  return withSampleIn(await browser.page(t));
}

async function withSampleIn(page) {
  await opened(page, checkpointFiles(sample, "model.ckpt"), "model.ckpt.meta");
  return page;
}

async function withTwo(t) {
  const page = await withSample(t);
  await opened(page, kGraph, "graph.pb");
  return page;
}

test("another model opens in a tab of its own, and each tab keeps its state", async (t) => {
  const page = await withSample(t);
  await perform(page, "Freeze");
  const files = await downloadAll(page);
  await take(page, "Prune");
  await page.getByLabel("Other outputs").fill("logits");
  await showTable(page, "Weights");
  await page.getByLabel("Filter").fill("conv");
  const size = page.getByRole("columnheader").getByRole("button", { name: /^Size/ });
  await size.click();
  await size.click();
  await opened(page, kGraph, "graph.pb");
  assert.deepEqual(await names(page), ["model.ckpt.meta", "graph.pb"]);
  assert.equal(await page.locator(".steps button").count(), 1);
  await showTable(page, "Weights");
  assert.equal(await page.getByLabel("Filter").inputValue(), "");
  assert.equal(await page.locator('[aria-sort="descending"]').count(), 0);
  await tab(page, "model.ckpt.meta").click();
  await current(page, "Frozen");
  assert.match(await status(page), /^model\.ckpt\.meta/);
  assert.equal(await page.getByLabel("Filter").inputValue(), "conv");
  assert.equal(await page.locator('[aria-sort="descending"]').count(), 1);
  assert.equal(await page.getByRole("tab", { name: "Prune" }).getAttribute("aria-selected"), "true");
  assert.equal(await page.getByLabel("Other outputs").inputValue(), "logits");
  await page.getByRole("tab", { name: "Result" }).click();
  assert.deepEqual(await downloadAll(page), files);
  await tab(page, "graph.pb").click();
  await shown(page, "graph.pb");
  await perform(page, "Un-freeze"); // its model is there, too
  await tab(page, "model.ckpt.meta").click();
  await page.locator(".steps button").first().click();
  await calm(page);
  await perform(page, "Prune");
});

test("the picture of each tab is where it was left, with its open groups and its chosen box", async (t) => {
  const page = await withSample(t);
  const picture = page.getByRole("application");
  await picture.press("ArrowDown");
  await picture.press("+");
  await picture.press("+");
  const place = () => page.evaluate(() => document.querySelector("picture-view").description.view);
  const before = await place();
  await opened(page, kGraph, "graph.pb");
  assert.notDeepEqual(await place(), before);
  await tab(page, "model.ckpt.meta").click();
  await untilMarked(page, "chosen");
  assert.deepEqual(await place(), before);
});

test("files with the name of an open model open in a tab with a number", async (t) => {
  const page = await withTwo(t);
  await give(page, kGraph);
  await tab(page, "graph.pb (2)").waitFor();
  await closer(page, "graph.pb").click();
  assert.deepEqual(await names(page), ["model.ckpt.meta", "graph.pb (2)"]);
  assert.equal(await nameOf(page), "graph.pb");
});

test("a failure to open is shown in the tab where it happened, and opens none", async (t) => {
  const page = await withTwo(t);
  await give(page, { name: "notes.txt", mimeType: "", buffer: Buffer.from("no model") });
  await page.locator("#failure-title").getByText("Couldn't open notes.txt").waitFor();
  assert.deepEqual(await names(page), ["model.ckpt.meta", "graph.pb"]);
  await tab(page, "model.ckpt.meta").click();
  assert.equal(await page.locator(".failure").count(), 0);
  await tab(page, "graph.pb").click();
  await page.locator("#failure-title").getByText("Couldn't open notes.txt").waitFor();
});

test("a dropped checkpoint goes to the graph that lacks it, whichever tab is shown; a whole model does not", async (t) => {
  const page = await browser.page(t);
  await give(page, kMeta);
  await page.getByText("No values loaded").waitFor();
  await opened(page, kGraph, "graph.pb");
  await drop(page, kValues);
  await page.getByText("all values found").waitFor();
  assert.deepEqual(await names(page), ["model.ckpt.meta", "graph.pb"]);
  await perform(page, "Freeze");
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
  await give(page, kValues); // nothing lacks them any more
  await page.locator(".missing").getByText("the graph").waitFor();
  assert.equal((await names(page)).length, 3);
  await give(page, kMeta); // of the checkpoint, by its name
  await page.getByText("all values found").waitFor();
  assert.equal((await names(page)).length, 3);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await tab(page, "model.ckpt.meta (3)").waitFor();
});

test("parts that are added keep the results that were made without them", async (t) => {
  const page = await browser.page(t);
  await give(page, kMeta);
  await page.getByText("No values loaded").waitFor();
  await perform(page, "Prune");
  await give(page, kValues);
  await page.getByText("all values found").waitFor();
  assert.deepEqual(await names(page), ["model.ckpt.meta", "model.ckpt.meta (2)"]);
  await tab(page, "model.ckpt.meta").click();
  await current(page, "Pruned");
});

test("closing a tab with results that were not downloaded asks; after the last one is the start page", async (t) => {
  const page = await withTwo(t);
  await perform(page, "Un-freeze");
  await page.locator(".unsaved").waitFor();
  await closer(page, "graph.pb").click();
  const dialog = page.getByRole("dialog", { name: "Close graph.pb" });
  await dialog.getByText("results that were not downloaded").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal((await names(page)).length, 2);
  await closer(page, "model.ckpt.meta").click(); // which has none
  assert.deepEqual(await names(page), ["graph.pb"]);
  await closer(page, "graph.pb").click();
  await dialog.getByRole("button", { name: "Close without downloading" }).click();
  await page.getByRole("heading", { level: 1 }).getByText("reshape TensorFlow models").waitFor();
  assert.equal(await page.locator("#model-title").count(), 0);
  await opened(page, kGraph, "graph.pb");
  await perform(page, "Un-freeze");
  await downloadAll(page);
  await closer(page, "graph.pb").click();
  await page.locator(".empty").waitFor();
});

test("leaving the page asks for the results of every tab", async (t) => {
  const page = await withTwo(t);
  const asks = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await perform(page, "Un-freeze");
  await tab(page, "model.ckpt.meta").click();
  assert.equal(await asks(), true);
  await perform(page, "Freeze");
  await downloadAll(page);
  assert.equal(await asks(), true);
  await tab(page, "graph.pb").click();
  await downloadAll(page);
  assert.equal(await asks(), false);
});

test("tabs are walked, shown and closed by keys, and closed by the middle button", async (t) => {
  const page = await withTwo(t);
  await page.keyboard.press("Alt+PageDown");
  await shown(page, "model.ckpt.meta");
  await page.keyboard.press("Alt+PageUp");
  await shown(page, "graph.pb");
  await tab(page, "graph.pb").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await shown(page, "model.ckpt.meta");
  const focus = () => page.evaluate(() => document.activeElement.textContent.trim());
  assert.equal(await focus(), "model.ckpt.meta");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Delete");
  assert.deepEqual(await names(page), ["model.ckpt.meta"]);
  assert.equal(await focus(), "model.ckpt.meta");
  await opened(page, kGraph, "graph.pb");
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").fill("go to model.ckpt.meta");
  await page.keyboard.press("Enter");
  await shown(page, "model.ckpt.meta");
  await tab(page, "graph.pb").click({ button: "middle" });
  assert.deepEqual(await names(page), ["model.ckpt.meta"]);
  await page.keyboard.press("Alt+w");
  await page.locator(".empty").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
});

// In the page: counts the models that are in its worker, and the addresses of files.
const countAll = () => {
  const models = new Set();
  globalThis.counts = { models, urls: new Set() };
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.request?.do === "close") models.delete(message.request.model);
    return postMessage.call(this, message, ...rest);
  };
  const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
  Object.defineProperty(Worker.prototype, "onmessage", {
    set(listener) {
      set.call(this, (event) => {
        for (const each of [event.data.value].flat()) if (each?.model && each.report) models.add(each.model);
        listener(event);
      });
    },
  });
  for (const [name, change] of [
    ["createObjectURL", "add"],
    ["revokeObjectURL", "delete"],
  ]) {
    const own = URL[name];
    URL[name] = (given) => {
      const url = own.call(URL, given);
      globalThis.counts.urls[change](url ?? given);
      return url;
    };
  }
};

test("a closed tab frees its models, in the worker as in the page", async (t) => {
  const page = await browser.own(t);
  await page.addInitScript(countAll);
  await page.reload();
  const counts = () => page.evaluate(() => [globalThis.counts.models.size, globalThis.counts.urls.size]);
  await opened(page, kGraph, "graph.pb");
  await perform(page, "Un-freeze");
  const [models, urls] = await counts();
  assert.ok(models >= 2 && urls >= 3, `${models} models, ${urls} addresses`);
  await opened(page, checkpointFiles(sample, "model.ckpt"), "model.ckpt.meta");
  await take(page, "Transfer");
  await page.locator('input[name="other"]').setInputFiles(frozenDigits(t));
  await page.locator(".tool .other").getByText("digits.pb").waitFor();
  await calm(page);
  await perform(page, "Transfer");
  assert.ok((await counts())[0] >= models + 3, "the second tab has its model, its second model and its result");
  await closer(page, "model.ckpt.meta").click();
  await page.getByRole("button", { name: "Close without downloading" }).click();
  await shown(page, "graph.ckpt.meta");
  assert.deepEqual(await counts(), [models, urls]);
  await page.keyboard.press("Alt+w");
  await page.getByRole("button", { name: "Close without downloading" }).click();
  await page.locator(".empty").waitFor();
  assert.equal((await counts())[0], 0);
});

test("the memory of closed models is used again", async (t) => {
  const page = await withSampleIn(await browser.loaded(t));
  const path = join(scratch(t), "chain.pb");
  writeFileSync(path, chain(60_000));
  const [worker] = page.workers();
  await worker.evaluate(() => {
    globalThis.grown = 0;
    const { grow } = WebAssembly.Memory.prototype;
    WebAssembly.Memory.prototype.grow = function (pages) {
      globalThis.grown += pages;
      return grow.call(this, pages);
    };
  });
  const grown = () => worker.evaluate(() => globalThis.grown);
  const figures = [];
  for (let i = 0; i < 4; i++) {
    await opened(page, path, "chain.pb");
    await closer(page, "chain.pb").click();
    await shown(page, "model.ckpt.meta");
    figures.push(await grown());
  }
  t.diagnostic(`the core's memory has grown by ${figures.map((pages) => (pages * 0.0655).toFixed(1)).join(", ")} MB`);
  assert.ok(figures[0] > 0);
  assert.ok(figures.at(-1) <= 1.25 * figures[0], figures.join());
});

test("Transfer and Compare take another open model, at the step that it is shown at", async (t) => {
  const page = await browser.page(t);
  const frozen = frozenDigits(t);
  await opened(page, frozen, "digits.pb");
  await opened(page, checkpointFiles(sample, "model.ckpt"), "model.ckpt.meta");
  await take(page, "Compare");
  assert.ok(await page.locator(".apply").isDisabled());
  await page
    .locator(".other-tabs")
    .getByRole("button", { name: /^digits\.pb/ })
    .click();
  await page.locator(".apply").click();
  await settled(page);
  assert.match(await page.locator("#difference-title").textContent(), /^Different/);
  await perform(page, "Transfer");
  const written = native(t, "transfer", ["--from", frozen, "--into", kMeta], "model.transferred.ckpt");
  same(await downloadAll(page), written);
  await tab(page, "digits.pb").click();
  await perform(page, "Un-freeze");
  await tab(page, "model.ckpt.meta").click();
  await take(page, "Compare");
  await page
    .locator(".other-tabs")
    .getByRole("button", { name: /^digits\.pb Un-frozen/, pressed: true })
    .waitFor();
  await closer(page, "digits.pb").click();
  await page.getByRole("button", { name: "Close without downloading" }).click();
  await page.locator(".other-tabs").waitFor({ state: "detached" });
  assert.ok(await page.locator(".apply").isDisabled());
  await page.locator(".steps button").first().click();
  await take(page, "Transfer");
  await page.getByText("Choose a source model first").waitFor();
});

test("a result belongs to the tab that it was started in", async (t) => {
  const page = await withSample(t);
  const path = join(scratch(t), "big.pb");
  writeSparseGraph(path, 150_000);
  await give(page, path);
  await shown(page, "big.pb");
  await press(page, "Un-freeze");
  await page.locator(".working").waitFor();
  await tab(page, "model.ckpt.meta").click();
  await shown(page, "model.ckpt.meta");
  await page.locator(".working").getByText("big.pb").waitFor();
  await settled(page);
  assert.equal(await page.locator(".steps button").count(), 1);
  assert.equal(await page.locator("#result-title").count(), 0);
  assert.match(await status(page), /^Un-frozen/);
  await page.locator(".model-tab").filter({ hasText: "big.pb" }).locator(".unsaved").waitFor();
  await tab(page, "big.pb").click();
  await page.locator("#result-title").getByText("Un-frozen").waitFor();
});

test("a core that ends in one tab is reported in the others, whose models still work", async (t) => {
  const page = await withSampleIn(await browser.loaded(t));
  await opened(page, kGraph, "graph.pb");
  const [worker] = page.workers();
  await worker.evaluate(() => {
    WebAssembly.Memory.prototype.grow = () => {
      throw new RangeError("no memory left");
    };
  });
  const path = join(scratch(t), "chain.pb");
  writeFileSync(path, chain(80_000));
  await give(page, path);
  await page.locator(".failure").getByText("does not fit into memory").first().waitFor();
  page.seen.complaints.length = 0; // the core's last word
  await tab(page, "model.ckpt.meta").click();
  await page.locator("#failure-title").getByText("The core was restarted").waitFor();
  assert.match(await status(page), /The core was restarted/);
  await page.locator(".failure").getByText("another model was worked on").waitFor();
  await page.locator(".failure").getByRole("button", { name: "Dismiss" }).click();
  await perform(page, "Freeze");
  await tab(page, "graph.pb").click();
  await perform(page, "Un-freeze");
});

test("a narrow screen has the open models in a sheet", async (t) => {
  const page = await browser.page(t, { viewport: { width: 390, height: 844 } });
  const attached = (name) => page.locator("#model-title").getByText(name).waitFor({ state: "attached" });
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await attached("model.ckpt.meta");
  await give(page, kGraph);
  await attached("graph.pb");
  assert.equal(await page.locator(".model-tabs").isVisible(), false);
  await page.getByRole("button", { name: /^Open models: graph\.pb/ }).click();
  const sheet = page.getByRole("dialog", { name: "Open models" });
  await sheet.getByRole("button", { name: "model.ckpt.meta", exact: true }).click();
  await sheet.waitFor({ state: "detached" });
  await attached("model.ckpt.meta");
  await page.getByRole("button", { name: /^Open models: model/ }).click();
  await sheet.getByRole("button", { name: "Close graph.pb" }).click();
  assert.equal(await sheet.locator(".tab-show").count(), 1);
  await sheet.getByRole("button", { name: "Close model.ckpt.meta" }).click();
  await page.locator(".empty").waitFor();
});
