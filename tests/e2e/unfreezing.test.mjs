// Un-freeze in the page: the table of detected weights, what is ticked and renamed in it, and models without any.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, root, take } from "./browser.mjs";
import { checkpointFiles, corpus, data, missing, native, sample, same, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");
const kUncertain = join(corpus, "dl4j_bulk/deeplearning4j__dl4j-test-resources/g_10/frozen_model.pb");
const kProgram = process.env.CRYOGRAPH_NATIVE ?? join(root, "build/release/cryograph");

async function opened(t, path) {
  const page = await browser.page(t);
  await give(page, path);
  await calm(page);
  return page;
}

const rows = (page) => page.locator(".weight-picker .table-body [role=row]");
const use = (page, name) => page.getByRole("checkbox", { name: `Use ${name}`, exact: true });
const rename = (page, name, to) => page.getByLabel(`New name: ${name}`, { exact: true }).fill(to);

test("each weight is in the table, with its type, how certain it is and why", async (t) => {
  const page = await opened(t, kGraph);
  const { weights } = JSON.parse(
    spawnSync(kProgram, ["list", kGraph, "weights", "--json"], { encoding: "utf8" }).stdout,
  );
  const detected = weights.filter(({ why }) => why);
  const told = await rows(page).allInnerTexts();
  assert.equal(told.length, detected.length);
  for (const [i, { name, dtype, why, confidence }] of detected.entries())
    for (const part of [name, dtype, why, confidence]) assert.ok(told[i].includes(part), `${told[i]}: ${part}`);
  await perform(page, "Un-freeze");
  await page.locator(".result-card summary").getByText("4 weights converted").click();
  await page.locator(".result-card .texts").getByRole("gridcell").first().waitFor();
  assert.match(await page.locator(".result-card .texts").innerText(), /high\s+it is read as conv\/weights\/read/);
});

test("a weight that is ticked off remains a constant, and another gets a new name", async (t) => {
  const page = await opened(t, kGraph);
  await use(page, "conv/weights").uncheck();
  assert.ok(await page.getByLabel("New name: conv/weights").isDisabled());
  await rename(page, "conv/biases", "first/bias");
  await page.locator(".preview summary").getByText("3 weights converted").waitFor();
  await perform(page, "Un-freeze");
  const options = ["--exclude", "conv/weights", "--rename", "conv/biases=first/bias"];
  same(await downloadAll(page), native(t, "unfreeze", kGraph, "graph.ckpt", ...options));
});

test("variables are no candidates: slots of an optimizer are in no row", async (t) => {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  await take(page, "Un-freeze");
  await page.getByText("No constant was detected as a weight").waitFor();
  assert.equal(await rows(page).count(), 0);
});

test("ticks and names of the table are added to what is typed", async (t) => {
  const page = await opened(t, kGraph);
  await use(page, "conv/weights").uncheck();
  await page.getByLabel("Exclude weights").fill("dense/biases");
  await page.getByLabel("Rename (FROM=TO)").fill("**=**_var");
  await perform(page, "Un-freeze");
  const options = ["--exclude", "dense/biases,conv/weights", "--rename", "**=**_var"];
  same(await downloadAll(page), native(t, "unfreeze", kGraph, "graph.ckpt", ...options));
});

test("an uncertain weight is taken when it is ticked", { skip: missing(kUncertain) }, async (t) => {
  const page = await opened(t, kUncertain);
  await take(page, "Un-freeze");
  assert.equal(await use(page, "Mul/y").isChecked(), false);
  await use(page, "Mul/y").check();
  await page
    .locator(".preview summary")
    .filter({ hasText: /converted/ })
    .click();
  await page.locator(".preview .texts").getByText("Mul/y", { exact: true }).waitFor();
});

test("a name that matches no constant is named as such", async (t) => {
  const page = await opened(t, kGraph);
  await page.getByLabel("Choose constants by name").fill("conv9/**");
  await page.locator(".preview").getByText("'conv9/**'").waitFor();
});

test("a model that the first tool refuses is greeted with one that works", async (t) => {
  const float = 'attr { key: "dtype" value { type: DT_FLOAT } }';
  const graph = `node { name: "x" op: "Placeholder" ${float} } node { name: "c" op: "Const" ${float}
    attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } }
    node { name: "y" op: "Add" input: "x" input: "c" attr { key: "T" value { type: DT_FLOAT } } }`;
  const page = await opened(t, { name: "add.pbtxt", mimeType: "", buffer: Buffer.from(graph) });
  assert.equal(await page.getByRole("tab", { name: "Prune" }).getAttribute("aria-selected"), "true");
  assert.equal(await page.locator(".diagnostic.error").count(), 0);
  await take(page, "Un-freeze"); // requested, so it says why it fails
  await page.getByText("Can't un-freeze yet").waitFor();
  await page.locator(".weight-picker").getByText("No constant was detected").waitFor();
});

test("a table of 1,000 weights has all of them, and few rows in the document", async (t) => {
  const value =
    'attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 float_val: 2 } } }';
  const type = (key) => `attr { key: "${key}" value { type: DT_FLOAT } }`;
  const layer = (i) => `node { name: "l${i}/weights" op: "Const" ${type("dtype")} ${value} }
    node { name: "l${i}/weights/read" op: "Identity" input: "l${i}/weights" ${type("T")} }
    node { name: "l${i}/add" op: "AddV2" input: "${i ? `l${i - 1}/add` : "x"}" input: "l${i}/weights/read" ${type("T")} }`;
  const layers = Array.from({ length: 1000 }, (_, i) => layer(i)).join("\n");
  const graph = `node { name: "x" op: "Placeholder" ${type("dtype")} }\n${layers}`;
  const page = await opened(t, { name: "deep.pbtxt", mimeType: "", buffer: Buffer.from(graph) });
  const table = page.locator(".weight-picker .table");
  assert.equal(await table.getAttribute("aria-rowcount"), "1001");
  assert.ok((await rows(page).count()) < 40);
  await table.evaluate((each) => (each.scrollTop = each.scrollHeight));
  await rename(page, "l999/weights", "last");
  await use(page, "l998/weights").uncheck();
  await page.locator(".preview summary").getByText("999 weights converted").click();
  const converted = page.locator(".preview .texts .table");
  assert.equal(await converted.getAttribute("aria-rowcount"), "1000");
  await converted.evaluate((each) => (each.scrollTop = each.scrollHeight));
  await converted.getByText("last", { exact: true }).waitFor();
});
