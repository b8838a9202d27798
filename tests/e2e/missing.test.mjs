// Missing parts of a model are named, with a place to add them; faults that TensorFlow would refuse are reported
// unasked.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, judged, perform, root } from "./browser.mjs";
import { checkpointFiles, data, native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");

const slot = (page) => page.getByRole("region", { name: "Missing:" });
const add = (page, files) => page.locator('input[name="missing"]').setInputFiles(files);

test("a data file that was forgotten is named and added", async (t) => {
  const page = await browser.page(t);
  await give(page, [kMeta, join(sample, "model.ckpt.index")]);
  await slot(page).getByText("model.ckpt.data-00000-of-00001").waitFor();
  await calm(page);
  const named = (await page.locator("main").textContent()).match(/model\.ckpt\.data-00000-of-00001/g);
  assert.equal(named.length, 1); // the slot says it, and nothing else repeats it
  await add(page, join(sample, "model.ckpt.data-00000-of-00001"));
  await slot(page).waitFor({ state: "detached" });
  await perform(page, "Freeze");
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
});

test("a graph gets its checkpoint, and a checkpoint its graph", async (t) => {
  const page = await browser.page(t);
  await give(page, kMeta);
  await slot(page).getByText("the checkpoint's .index and .data files").waitFor();
  await add(
    page,
    checkpointFiles(sample, "model.ckpt").filter((name) => name !== kMeta),
  );
  await page.getByText("all values found").waitFor();
  await give(
    page,
    checkpointFiles(sample, "model.ckpt").filter((name) => name !== kMeta),
  );
  await slot(page).getByText("the graph").waitFor();
  assert.equal(await page.getByRole("tab", { name: /Nodes/ }).count(), 0);
  await add(page, kMeta);
  await page.getByText("all values found").waitFor();
});

test("a SavedModel gets its variables, which lie in a folder of theirs", async (t) => {
  const page = await browser.page(t);
  const folder = join(data, "objects/keras/saved");
  await give(page, join(folder, "saved_model.pb"));
  await slot(page).waitFor();
  await add(
    page,
    ["index", "data-00000-of-00001"].map((end) => join(folder, `variables/variables.${end}`)),
  );
  await page.getByText("all values found").waitFor();
});

test("what does not fit leaves the model as it was, and the right part can still be given", async (t) => {
  const page = await browser.page(t);
  await give(page, [kMeta, join(sample, "model.ckpt.index")]);
  await slot(page).waitFor();
  await add(page, { name: "model.ckpt.meta", mimeType: "", buffer: Buffer.from("no model") });
  await page.locator(".failure").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await add(page, join(sample, "model.ckpt.data-00000-of-00001"));
  await page.getByText("all values found").waitFor();
});

test("a graph that TensorFlow would refuse says so, and why is one press away; a sound one says nothing", async (t) => {
  const page = await browser.page(t);
  await give(page, join(root, "web/samples/broken/broken.pb"));
  await page.getByText("TensorFlow 2.21.0 would refuse this model. 3 errors.").waitFor();
  await page.getByRole("button", { name: "See why" }).click();
  await page.locator("#verdict-title").waitFor();
  assert.equal(await page.locator(".verdict .diagnostic.error").count(), 3);
  await page.getByRole("button", { name: "Repair" }).click();
  await page.locator(".result-card").waitFor();
  await judged(page);
  assert.equal(await page.locator(".refusal").count(), 0);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  await page.getByRole("tab", { name: "Validate" }).click();
  await page.getByText("Valid for TensorFlow 2.21.0: no issues found").waitFor();
  assert.equal(await page.locator(".refusal").count(), 0);
});
