// The models that the page ships: each opens, teaches what its line says, and is no part of the first load.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, press, downloadAll, nameOf, perform, result, root, settled, take } from "./browser.mjs";
import { drawn } from "./pictured.mjs";
import { data, native, same, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kOfPage = ["chunk", "workshop"]; // files of the page itself that are named as samples are

async function sampleOf(t, name) {
  const page = await browser.page(t);
  await page.getByRole("region", { name: "Or try a sample" }).getByRole("button", { name }).click();
  await calm(page);
  return page;
}

test("samples are loaded one by one, when they are asked for", async (t) => {
  const page = await browser.loaded(t);
  const asked = () =>
    page.seen.requests
      .map((url) => /\/([a-z]+)-\w+\.js$/.exec(url)?.[1])
      .filter((name) => name && !kOfPage.includes(name));
  assert.deepEqual(asked(), []);
  await page.getByRole("button", { name: /^Frozen network/ }).click();
  await calm(page);
  assert.deepEqual(asked(), ["convnet"]);
});

test("a model that is chosen before the worker's script has come opens when it has", async (t) => {
  const page = await browser.loaded(t);
  let hold;
  const held = new Promise((resolve) => (hold = resolve));
  await page.route("**/cryograph-worker-text-*.js", hold);
  await page.reload();
  await page.getByRole("button", { name: /^Frozen network/ }).click();
  const script = await held;
  await page.locator('main[aria-busy="true"]').waitFor();
  await script.continue();
  await calm(page);
});

for (const [file, said] of [
  ["cryograph-worker-text", "the worker that reads models"],
  ["cryograph-packed-ops-text", "definitions of TensorFlow's ops"],
  ["workshop", "part of this page that shows models"],
]) {
  test(`a file of the page that cannot be loaded is reported, and loaded once it can: ${file}`, async (t) => {
    const page = await browser.loaded(t);
    const [files, convnet] = [`**/${file}-*.js`, /^Frozen network/];
    await page.route(files, (route) => route.abort());
    await page.reload();
    await page.getByRole("button", { name: convnet }).click();
    await page.locator(".failure").getByText(said).waitFor();
    await page.unroute(files);
    await page.reload(); // Chromium 150 fetches no module again that it could not load
    await page.getByRole("button", { name: convnet }).click();
    await calm(page);
    assert.match(page.seen.complaints.splice(0).join(), /ERR_FAILED/);
  });
}

test("where the rest of the core cannot be loaded, models open, and what needs it says so", async (t) => {
  const page = await browser.loaded(t);
  await page.route("**/cryograph-rest-text-*.js", (route) => route.abort());
  await page.reload();
  await page.getByRole("button", { name: /^Frozen network/ }).click();
  await drawn(page);
  await press(page, "Un-freeze");
  await page.locator(".failure").getByText("the rest of core.wasm could not be loaded").waitFor();
  await page.locator(".failure").getByText("open the page again").waitFor();
  await page.locator(".node-link").first().waitFor(); // the model stays
  assert.match(page.seen.complaints.splice(0).join(), /ERR_FAILED/);
});

test("the frozen network is un-frozen", async (t) => {
  const page = await sampleOf(t, /^Frozen network/);
  await perform(page, "Un-freeze");
  assert.equal(await result(page), "Un-frozen: 4 constants became variables");
  same(await downloadAll(page), native(t, "unfreeze", join(data, "frozen_convnet/graph.pb"), "graph.ckpt"));
});

test("the Keras model is frozen to one file, whose inputs and outputs are called as in its signature", async (t) => {
  const page = await sampleOf(t, /^Keras model/);
  await page.locator(".facts").getByText("SavedModel").waitFor();
  await perform(page, "Freeze");
  same(await downloadAll(page), native(t, "freeze", join(data, "objects/keras/saved"), "keras.frozen.pb"));
});

test("the training switch is decided by what its placeholder is fixed to", async (t) => {
  const page = await sampleOf(t, /^Model with is_training/);
  await page.getByLabel("Set values of placeholders and variables").fill("is_training=false");
  await perform(page, "Freeze");
  same(
    await downloadAll(page),
    native(t, "freeze", join(data, "training_cond"), "model.frozen.pb", "--outputs", "y", "--set", "is_training=false"),
  );
});

test("the broken graph is refused, repaired, and valid then", async (t) => {
  const page = await sampleOf(t, /^Broken graph/);
  await perform(page, "Validate");
  assert.equal(await page.locator("#verdict-title").textContent(), "TensorFlow 2.21.0 would refuse this model");
  await page.getByRole("button", { name: "Repair" }).click();
  await settled(page);
  assert.equal(await result(page), "Repaired: 5 issues");
  same(
    await downloadAll(page),
    native(t, "validate", join(root, "web/samples/broken/broken.pb"), "broken.repaired.pb", "--fix"),
  );
  await perform(page, "Validate");
  assert.equal(await page.locator("#verdict-title").textContent(), "Valid for TensorFlow 2.21.0: no issues found");
});

test("where a model is open the samples stand in a dialog", async (t) => {
  const page = await sampleOf(t, /^Digit classifier/);
  await page.getByRole("button", { name: "Samples", exact: true }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Broken graph/ })
    .click();
  await page.locator("#model-title").getByText("broken.pb").waitFor();
  assert.equal(await nameOf(page), "broken.pb");
  await take(page, "Validate");
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("of a signature some outputs can be left out, and the graph keeps their own names", async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await calm(page);
  await page.getByRole("checkbox", { name: /^StatefulPartitionedCall int64/ }).uncheck();
  await perform(page, "Freeze");
  same(
    await downloadAll(page),
    native(
      t,
      "freeze",
      join(data, "saved_models/tables"),
      "tables.frozen.pb",
      "--outputs",
      "StatefulPartitionedCall:1",
    ),
  );
});
