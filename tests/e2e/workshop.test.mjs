// Work on a model in the page, beyond the outputs that bytes.test.mjs compares: previews, two models, repairs, ways to
// open, recipes.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, nameOf, perform, result, settled, showTable, take } from "./browser.mjs";
import { taggedModels } from "./protobuf.mjs";
import { checkpointFiles, data, frozenDigits, native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");

async function sampleOf(t) {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  return page;
}

const totals = (page) => page.locator(".totals tbody").evaluate((body) => body.innerText);

test("the preview says what the step then does, and follows what is chosen", async (t) => {
  const page = await sampleOf(t);
  const before = await totals(page);
  await page.getByLabel("Other outputs").fill("conv1/relu");
  await page.locator(".choice input").first().uncheck();
  await page.waitForFunction((old) => document.querySelector(".totals tbody")?.innerText !== old, before);
  await calm(page);
  const counts = (text) => text.split("\n").filter((line) => !line.startsWith("Size"));
  const told = counts(await totals(page));
  await perform(page, "Freeze");
  assert.deepEqual(counts(await totals(page)), told);
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "conv1/relu"));
});

test("what would be refused is said before it is tried, with the reason", async (t) => {
  const page = await sampleOf(t);
  await page.getByLabel("Other outputs").fill("no/such/node");
  await page.getByText(/^Can't \w+ yet$/).waitFor();
  assert.match(await page.locator(".preview").textContent(), /no\/such\/node/);
});

test("a node of the inspector is kept as an output, and the graph is cut at another", async (t) => {
  const page = await sampleOf(t);
  const look = async (name) => {
    await showTable(page, "Nodes");
    await page.getByLabel("Filter").fill(name);
    await page
      .getByRole("row", { name: new RegExp(`^${name} `) })
      .first()
      .click();
    await page.locator("#node-title").getByText(name, { exact: true }).waitFor();
  };
  await look("hidden/relu");
  await page.getByRole("button", { name: "Add to outputs" }).click();
  await look("conv1/relu");
  await page.getByRole("button", { name: "Use as input" }).click();
  await perform(page, "Freeze");
  same(
    await downloadAll(page),
    native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities,hidden/relu", "--inputs", "conv1/relu"),
  );
});

test("flags and texts of a tool do what the command line's options do", async (t) => {
  const page = await sampleOf(t);
  await page.getByLabel("Remove Identity nodes (where safe)").check();
  await page.getByLabel("Keep as variables").fill("readout/**");
  await perform(page, "Freeze");
  same(
    await downloadAll(page),
    native(
      t,
      "freeze",
      kMeta,
      "model.frozen.ckpt",
      "--outputs",
      "probabilities",
      "--keep-variables",
      "readout/**",
      "--splice-identities",
    ),
  );
});

test("weights of another model are transferred as the native program does", async (t) => {
  const page = await sampleOf(t);
  const path = frozenDigits(t);
  await take(page, "Transfer");
  await page.locator('input[name="other"]').setInputFiles(path);
  await page.locator(".other").getByText("digits.pb").waitFor();
  await page.locator(".preview summary").getByText("8 matched").waitFor();
  await perform(page, "Transfer");
  assert.equal(await result(page), "Transferred 8 of 27 variables");
  same(await downloadAll(page), native(t, "transfer", ["--from", path, "--into", kMeta], "model.transferred.ckpt"));
});

test("two models are compared: equal to itself, and where it differs", async (t) => {
  const page = await sampleOf(t);
  await take(page, "Compare");
  await page.locator('input[name="other"]').setInputFiles(checkpointFiles(sample, "model.ckpt"));
  await page.locator(".other").getByText("model.ckpt.meta").waitFor();
  await perform(page, "Compare");
  assert.equal(await page.locator("#difference-title").textContent(), "Equal, bit for bit");
  await perform(page, "Prune");
  await perform(page, "Compare");
  assert.match(await page.locator("#difference-title").textContent(), /^Different: structure/);
});

test("a broken graph is repaired, and the verdict on what came out is told", async (t) => {
  const page = await browser.page(t);
  await give(page, join(data, "invalid/colocation_unknown.pb"));
  await perform(page, "Validate");
  await page.getByRole("button", { name: "Repair" }).click();
  await settled(page);
  assert.match(await result(page), /^Repaired: 1 issue/);
  same(
    await downloadAll(page),
    native(t, "validate", join(data, "invalid/colocation_unknown.pb"), "colocation_unknown.repaired.pb", "--fix"),
  );
});

test("a pasted text is a graph, by the keys and by the dialog", async (t) => {
  const page = await browser.page(t);
  const text = 'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }';
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
  await page.locator("#model-title").getByText("pasted.pbtxt").waitFor();
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.getByRole("textbox", { name: /A graph as text/ }).fill(`${text} ${text.replace('"x"', '"y"')}`);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".facts").getByText("2", { exact: true }).waitFor();
  assert.equal(await nameOf(page), "pasted.pbtxt");
});

test("undo and redo go along the steps, by keys too", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Prune");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(
    await page
      .locator('.steps [aria-current="step"]')
      .textContent()
      .then((text) => text.includes("Source")),
    true,
  );
  await page.keyboard.press("Shift+Z");
  await page.locator('.steps [aria-current="step"]').getByText("Pruned").waitFor();
  await page.keyboard.press("z");
  await page.locator('.steps [aria-current="step"]').getByText("Source").waitFor();
  await page.getByRole("button", { name: "Keyboard" }).click();
  await page.getByLabel("Enable single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Z");
  await page.locator('.steps [aria-current="step"]').getByText("Source").waitFor();
});

test("a recipe's command line is what was done, and its link does it again", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Freeze");
  const files = await downloadAll(page);
  await page.getByRole("button", { name: "Recipe" }).click();
  const [line, script, link] = await page.locator(".copied pre").allTextContents();
  assert.equal(line, "cryograph freeze model.ckpt.meta --outputs probabilities -o model.pb");
  assert.match(script, /model\.freeze\(\{ outputs: \["probabilities"\] \}\)/);
  const again = await browser.page(t);
  await again.goto(link);
  await again.reload();
  await again.getByText("This link applies:").waitFor();
  await give(again, checkpointFiles(sample, "model.ckpt"));
  await again.getByRole("button", { name: "Apply", exact: true }).click();
  await again.locator(".result-card").waitFor();
  same(await downloadAll(again), files);
});

test("a download's SHA-256 is that of its bytes", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Freeze");
  await page.getByRole("button", { name: "SHA-256" }).click();
  await page
    .locator(".hash")
    .getByText(/^[0-9a-f]{64}$/)
    .waitFor();
  const [bytes] = Object.values(await downloadAll(page));
  assert.equal(await page.locator(".hash").textContent(), createHash("sha256").update(bytes).digest("hex"));
});

test("the colours are those of the system until another is chosen, which stays", async (t) => {
  const page = await browser.page(t, { colorScheme: "light" });
  const dark = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await dark();
  await page.getByLabel("Theme").selectOption("dark");
  assert.notEqual(await dark(), light);
  await page.reload();
  assert.notEqual(await dark(), light);
  await page.getByLabel("Theme").selectOption("light");
  assert.equal(await dark(), light);
});

test("a SavedModel of several tag sets asks which one is meant", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "saved_model.pb", mimeType: "", buffer: taggedModels(["train"], ["serve", "gpu"]) });
  await page.locator(".failure").waitFor();
  await page.getByLabel("Tags of the graph to open").fill("serve,gpu");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".facts").getByText("serve, gpu").waitFor();
});

test("damaged weights are refused, and taken after a press on a button that says so", async (t) => {
  const page = await browser.page(t);
  const files = readdirSync(sample)
    .filter((name) => name.startsWith("model.ckpt"))
    .map((name) => {
      const buffer = readFileSync(join(sample, name));
      if (name.includes(".data-")) for (let at = 0; at < buffer.length; at += 64) buffer[at] ^= 1; // in each weight
      return { name, mimeType: "", buffer };
    });
  await give(page, files);
  await page.locator(".apply").click();
  await page.locator(".failure").getByText("Checksum does not match").waitFor();
  await page.getByRole("button", { name: "Open without checking" }).click();
  await calm(page);
  await page.locator(".apply").click();
  await page.locator("#result-title").waitFor();
  assert.equal(Object.keys(await downloadAll(page)).length, 1);
});
