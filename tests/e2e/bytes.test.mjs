// The page writes what the native program writes, byte for byte.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { downloadAll, drop, give, nameOf, perform, prepare, result, take } from "./browser.mjs";
import { checkpointFiles, corpus, data, missing, native, same, sample, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");
const kCorpusCheckpoint = join(corpus, "freeze_pairs/Saafke__FSRCNN_Tensorflow/CKPT_dir/x2_small");

test("the sample, frozen, is what the native program writes", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await perform(page, "Freeze");
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
});

test("chosen files, pruned, are what the native program writes, with weights and without", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await perform(page, "Prune");
  same(await downloadAll(page), {
    ...native(t, "prune", kMeta, "model.pruned.pb", "--outputs", "probabilities"),
    ...native(t, "prune", kMeta, "model.pruned.ckpt", "--outputs", "probabilities"),
  });
});

test("a dropped frozen graph, un-frozen, is what the native program writes", async (t) => {
  const page = await browser.page(t);
  const folder = scratch(t);
  const files = native(t, "freeze", kMeta, "digits.frozen.pb", "--outputs", "probabilities");
  writeFileSync(join(folder, "digits.frozen.pb"), files["digits.frozen.pb"]);
  await drop(page, [join(folder, "digits.frozen.pb")]);
  await perform(page, "Un-freeze");
  same(await downloadAll(page), native(t, "unfreeze", join(folder, "digits.frozen.pb"), "digits.ckpt"));
});

test("a dropped folder opens its checkpoint", async (t) => {
  const page = await browser.page(t);
  await drop(page, [sample]);
  await page.locator(".model-card").waitFor();
  assert.equal(await nameOf(page), "model.ckpt.meta");
  await perform(page, "Freeze");
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
});

test("a chosen folder opens its checkpoint", async (t) => {
  const page = await browser.page(t);
  await page.locator("input[webkitdirectory]").setInputFiles(sample);
  await page.locator(".model-card").waitFor();
  assert.equal(await nameOf(page), "model.ckpt.meta");
});

test("outputs and inputs that were typed are kept and cut as the native program does", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await page.locator(".choice input").first().uncheck();
  await page.getByLabel("Other outputs").fill("hidden/relu, readout/BiasAdd");
  await page.getByLabel("New input tensors").fill("pool1:0");
  await perform(page, "Freeze");
  same(
    await downloadAll(page),
    native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "hidden/relu,readout/BiasAdd", "--inputs", "pool1:0"),
  );
});

test("weights of several blocks, whose checksums are compared, are what the native program writes", async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, "model.safetensors"), safetensors({ a: 300_001, b: 700_003, c: 1_234_567 }));
  const checkpoint = native(t, "weights", join(folder, "model.safetensors"), "model.ckpt");
  for (const [name, bytes] of Object.entries(checkpoint)) writeFileSync(join(folder, name), bytes);
  const page = await browser.page(t);
  await give(page, checkpointFiles(folder, "model.ckpt"));
  await prepare(page, "npz");
  same(await downloadAll(page), native(t, "weights", join(folder, "model.ckpt"), "model.npz"));
});

// Random bytes. `sizes`: of each array, by name.
function safetensors(sizes) {
  const header = {};
  let end = 0;
  for (const [name, size] of Object.entries(sizes))
    header[name] = { dtype: "U8", shape: [size], data_offsets: [end, (end += size)] };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, randomBytes(end)]);
}

test("each form of the list is what the native program writes", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await take(page, "Save as");
  const forms = await page.locator(".save-card option").evaluateAll((options) => options.map(({ value }) => value));
  assert.deepEqual(forms, [
    "pb",
    "pbtxt",
    "checkpoint",
    "checkpointZip",
    "savedmodel",
    "weights",
    "npz",
    "safetensors",
  ]);
  for (const form of forms) {
    await prepare(page, form);
    const verb = ["weights", "npz", "safetensors"].includes(form) ? "weights" : "convert";
    const ending =
      { checkpoint: "ckpt", checkpointZip: "ckpt.zip", savedmodel: "zip", weights: "weights.ckpt" }[form] ?? form;
    const as = { checkpointZip: "checkpoint", weights: "checkpoint" }[form] ?? form;
    same(await downloadAll(page), native(t, verb, kMeta, `model.${ending}`, "--as", as));
  }
});

// tests/oracle runs such lines; tests/js compares the package's with the native program's.
test("the code to load a result has its names", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await prepare(page, "npz"); // of weights, which the page does not keep: shown at once
  assert.match(await page.locator(".form pre").innerText(), /^weights = numpy\.load\("model\.npz"\)$/m);
  await perform(page, "Freeze");
  await page.getByRole("button", { name: "Code to load it" }).click();
  const code = await page.locator(".form pre").innerText();
  assert.match(code, /^with open\("model\.frozen\.pb", "rb"\) as file:$/m);
  assert.match(code, /^ {8}outputs = session\.run\(\["probabilities:0"\], inputs\)$/m);
  await prepare(page, "savedmodel");
  await page.getByRole("button", { name: "Code to load it" }).click();
  assert.match(await page.locator(".form pre").innerText(), /signatures\["serving_default"\]$/m);
});

test("TensorFlow.js is offered for a model without variables", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await take(page, "Save as");
  assert.equal(await page.locator('.save-card option[value="tfjs"]').count(), 0);
  await perform(page, "Freeze");
  await prepare(page, "tfjs");
  assert.ok("model.zip" in (await downloadAll(page)));
});

test("going back freezes the earlier model; steps taken from there replace the later ones", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await perform(page, "Prune");
  await perform(page, "Freeze");
  assert.equal(await result(page), "Frozen: 8 variables became constants");
  assert.equal(await page.locator(".steps button").count(), 3);
  await page.locator(".steps button").first().click();
  await page.locator(".result-card").waitFor({ state: "detached" });
  assert.equal(await page.locator(".steps button").count(), 3);
  await perform(page, "Freeze");
  assert.equal(await page.locator(".steps button").count(), 2);
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
});

test("a checkpoint of the corpus freezes to the native bytes", { skip: missing(kCorpusCheckpoint) }, async (t) => {
  const page = await browser.page(t);
  await drop(page, [kCorpusCheckpoint]);
  await freezeAsNative(t, page, kCorpusCheckpoint);
});

for (const fixture of ["resource", "shards", "partitioned", "snappy"]) {
  test(`the folder of ${fixture} variables freezes to the native bytes`, async (t) => {
    const page = await browser.page(t);
    await drop(page, [join(data, fixture)]);
    await freezeAsNative(t, page, join(data, fixture));
  });
}

async function freezeAsNative(t, page, path) {
  await page.locator(".choice").first().waitFor();
  const ticked = await page.locator(".choice:has(:checked) code").allTextContents();
  await perform(page, "Freeze");
  const ours = await downloadAll(page);
  same(ours, native(t, "freeze", path, Object.keys(ours)[0], "--outputs", ticked.join()));
}
