// A person's actions by keys alone: no pointer, and the focus is never lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { result, settled } from "./browser.mjs";
import { checkpointFiles, chooseOwnFolder, frozenDigits, native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMaxTabs = 120;
const kMeta = join(sample, "model.ckpt.meta");

const focus = (page) =>
  page.evaluate(() => document.activeElement.id || document.activeElement.textContent.replace(/\s+/g, " ").trim());
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

// Tabs along until something has the focus that fits the selector and the text.
async function tabTo(page, selector, text = "", key = "Tab") {
  const fits = ([what, said]) =>
    document.activeElement.matches(what) &&
    (document.activeElement.ariaLabel ?? document.activeElement.textContent).includes(said);
  for (let i = 0; i < kMaxTabs; i++) {
    if (await page.evaluate(fits, [selector, text])) return;
    await page.keyboard.press(key);
  }
  assert.fail(`no ${selector} "${text}" is reached by ${key}; ${await focus(page)} has the focus`);
}

const back = (page, selector, text) => tabTo(page, selector, text, "Shift+Tab");
const focused = (page, id) => page.waitForFunction((it) => document.activeElement.id === it, id);
const kept = (page) => page.waitForFunction(() => document.activeElement !== document.body);

// File choosers are intercepted from the start: otherwise a key could be faster than the request to intercept.
async function pageOf(t, options) {
  const page = await (options ? browser.own(t, options) : browser.loaded(t));
  page.on("filechooser", () => {});
  await page.evaluate(() => {});
  return page;
}

// Chooses files in the chooser that a key opens.
async function choose(page, files, key = "Enter") {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press(key)]);
  await chooser.setFiles(files);
}

async function opened(page, name) {
  await page.locator("#model-title").getByText(name, { exact: true }).waitFor();
  await focused(page, "model-title");
  await page.locator(".stage picture-view, .stage data-table").waitFor();
  await page.locator(".model-card:not([data-judging])").waitFor();
}

// To a tool by its tab, as arrow keys go.
async function tool(page, name) {
  await press(page, "4");
  await focused(page, "operate-title");
  await tabTo(page, "[role=tab]");
  for (let i = 0; i < 12 && (await focus(page)) !== `tool-${name}`; i++) await press(page, "ArrowRight");
  assert.equal(await focus(page), `tool-${name}`);
}

async function perform(page, name) {
  await tool(page, name);
  await tabTo(page, ".apply");
  await press(page, "Enter");
  await settled(page);
}

// A file by its name: what a key downloads.
async function downloaded(page, key = "Enter") {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press(key)]);
  return { [download.suggestedFilename()]: readFileSync(await download.path()) };
}

// Every file offered, each by its own link.
async function downloadedEach(page) {
  const files = {};
  for (const name of await page.locator("a.download code").allTextContents()) {
    await tabTo(page, "a.download", name);
    Object.assign(files, await downloaded(page));
  }
  return files;
}

// A form of the list, as arrow keys go, and its files.
async function savedAs(page, form) {
  await tool(page, "save");
  await tabTo(page, "#form");
  const chosen = () => page.evaluate(() => document.activeElement.value);
  await press(page, "Home");
  for (let i = 0; i < 12 && (await chosen()) !== form; i++) await press(page, "ArrowDown");
  assert.equal(await chosen(), form);
  await tabTo(page, ".apply");
  await press(page, "Enter");
  await settled(page);
  await focused(page, "save-title");
  return downloadedEach(page);
}

test("a model is opened by buttons and keys, as a text and as a sample; a part that is missing is added", async (t) => {
  const page = await pageOf(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await tabTo(page, "button", "Open files");
  await choose(page, [kMeta]);
  await opened(page, "model.ckpt.meta");
  await tabTo(page, "button", "Add files");
  await choose(
    page,
    checkpointFiles(sample, "model.ckpt").filter((path) => !path.endsWith(".meta")),
  );
  await opened(page, "model.ckpt.meta");
  await choose(page, [frozenDigits(t)], "Control+o");
  await opened(page, "digits.pb");
  await choose(page, sample, "Control+Shift+O");
  await opened(page, "model.ckpt.meta");
  await back(page, "button", "Paste text");
  await press(page, "Enter");
  await focused(page, "pasted");
  await press(page, "Escape");
  assert.match(await focus(page), /Paste text/);
  await press(page, "Enter");
  await page.keyboard.insertText('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }');
  await press(page, "Tab", "Enter");
  await opened(page, "pasted.pbtxt");
  await back(page, "button", "Samples");
  await press(page, "Enter");
  await tabTo(page, ".sample", "Broken graph");
  await press(page, "Enter");
  await opened(page, "broken.pb");
});

test("a model that would be refused is judged and repaired, and what fails is put away", async (t) => {
  const page = await pageOf(t);
  await tabTo(page, ".sample", "Broken graph");
  await press(page, "Enter");
  await opened(page, "broken.pb");
  await tabTo(page, "button", "See why");
  await press(page, "Enter");
  await focused(page, "verdict-title");
  await tabTo(page, "button", "Repair");
  await press(page, "Enter");
  await settled(page);
  await focused(page, "result-title");
  await perform(page, "validate");
  await focused(page, "verdict-title");
  await back(page, "button", "Paste text");
  await press(page, "Enter");
  await page.keyboard.insertText("no graph");
  await press(page, "Tab", "Enter");
  await focused(page, "failure-title");
  await tabTo(page, "button", "Dismiss");
  await press(page, "Enter");
  await kept(page);
});

test("outline, tables, nodes and weights are looked at", async (t) => {
  const page = await pageOf(t);
  await tabTo(page, "button", "Try the sample");
  await press(page, "Enter");
  await opened(page, "model.ckpt.meta");
  await tabTo(page, ".chip", "Const");
  await press(page, "Enter");
  await focused(page, "contents-title");
  await press(page, "/", "Control+A", "Delete", "Escape");
  await back(page, "[role=treeitem]");
  await press(page, "End", "Home", "ArrowRight", "ArrowDown", "Enter");
  await page.locator('[role=treeitem][aria-selected="true"]').waitFor();
  await tabTo(page, "[role=tab]");
  await press(page, "ArrowRight");
  assert.match(await focus(page), /weights/);
  await tabTo(page, "button", "Dismiss");
  await press(page, "Enter");
  await kept(page);
  await tabTo(page, "[role=grid]");
  await tabTo(page, "[role=columnheader] button", "Size");
  await press(page, "Enter", "Enter");
  await page.locator('[aria-sort="descending"]').waitFor();
  await back(page, "[role=grid]");
  await press(page, "Home", "Enter");
  await focused(page, "node-title");
  const name = await page.locator("#node-title").textContent();
  await page.locator(".pager").waitFor();
  await tabTo(page, ".pager button");
  await press(page, "Enter");
  await page.getByText(/^40 to 79/).waitFor();
  await kept(page);
  await tabTo(page, ".neighbour");
  await press(page, "Enter");
  await page.waitForFunction((before) => document.querySelector("#node-title").textContent !== before, name);
  await focused(page, "node-title");
  await press(page, "Alt+ArrowLeft");
  await page.locator("#node-title").getByText(name, { exact: true }).waitFor();
  await tabTo(page, "button", "output");
  await press(page, "Space");
  await page.getByRole("button", { name: "Remove from outputs" }).waitFor();
  await kept(page);
});

test("every verb that makes a model; its files, the steps and the recipe", async (t) => {
  const page = await pageOf(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.evaluate(chooseOwnFolder);
  await tabTo(page, "button", "Try the sample");
  await press(page, "Enter");
  await opened(page, "model.ckpt.meta");
  await perform(page, "prune");
  await focused(page, "result-title");
  await tabTo(page, "button", "Save to folder");
  await press(page, "Enter");
  await page.getByText("3 files written").first().waitFor();
  await page.waitForFunction(() => document.activeElement.textContent.startsWith("Save to folder"));
  await back(page, "button", "Download .zip");
  same(
    await downloaded(page),
    native(t, "prune", kMeta, "model.pruned.ckpt.zip", "--outputs", "probabilities", "--as", "checkpoint"),
  );
  await kept(page);
  await perform(page, "freeze");
  await tabTo(page, "a.download");
  assert.deepEqual(Object.keys(await downloaded(page)), ["model.frozen.pb"]);
  await tabTo(page, "button", "SHA-256");
  await press(page, "Enter");
  await page
    .locator(".hash")
    .getByText(/^[0-9a-f]{64}$/)
    .first()
    .waitFor();
  await kept(page);
  await tabTo(page, "button", "Compare with previous step");
  await press(page, "Enter");
  await focused(page, "verified-title");
  await perform(page, "unfreeze");
  await focused(page, "result-title");
  assert.match(await result(page), /^Un-frozen/);
  await press(page, "z", "z");
  await page.locator('.steps [aria-current="step"]').getByText("Pruned").waitFor();
  await kept(page);
  await press(page, "Shift+Z");
  await tabTo(page, "button", "Recipe");
  await press(page, "Enter");
  await tabTo(page, "button", "Copy");
  await press(page, "Enter");
  await page.getByRole("button", { name: "Copy: In a terminal" }).getByText("Copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^cryograph prune/);
  await press(page, "Escape");
  assert.match(await focus(page), /Recipe/);
  await press(page, "Control+k");
  await page.keyboard.type("theme dark");
  await press(page, "Enter");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await kept(page);
});

test("each file of a result has a link of its own", async (t) => {
  const page = await pageOf(t);
  await choose(page, checkpointFiles(sample, "model.ckpt"), "Control+o");
  await opened(page, "model.ckpt.meta");
  await perform(page, "freeze");
  await focused(page, "result-title");
  same(await downloadedEach(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
  await press(page, "z");
  await focused(page, "model-title");
  await perform(page, "prune");
  await focused(page, "result-title");
  same(await downloadedEach(page), {
    ...native(t, "prune", kMeta, "model.pruned.pb", "--outputs", "probabilities"),
    ...native(t, "prune", kMeta, "model.pruned.ckpt", "--outputs", "probabilities"),
  });
});

test("a model is saved in other forms, each chosen in the list", async (t) => {
  const page = await pageOf(t);
  await choose(page, checkpointFiles(sample, "model.ckpt"), "Control+o");
  await opened(page, "model.ckpt.meta");
  same(await savedAs(page, "savedmodel"), native(t, "convert", kMeta, "model.zip", "--as", "savedmodel"));
  same(await savedAs(page, "pbtxt"), native(t, "convert", kMeta, "model.pbtxt", "--as", "pbtxt"));
  same(await savedAs(page, "checkpoint"), native(t, "convert", kMeta, "model.ckpt", "--as", "checkpoint"));
  same(await savedAs(page, "npz"), native(t, "weights", kMeta, "model.npz", "--as", "npz"));
});

// On a page of its own: Chromium drops the seventh download within a few seconds.
test("a frozen model is saved for TensorFlow.js", async (t) => {
  const page = await pageOf(t);
  await choose(page, checkpointFiles(sample, "model.ckpt"), "Control+o");
  await opened(page, "model.ckpt.meta");
  await perform(page, "freeze");
  await focused(page, "result-title");
  same(
    await savedAs(page, "tfjs"),
    native(t, "freeze", kMeta, "model.zip", "--outputs", "probabilities", "--as", "tfjs"),
  );
});

test("a second model gives its weights and is compared", async (t) => {
  const page = await pageOf(t);
  const frozen = frozenDigits(t);
  await choose(page, checkpointFiles(sample, "model.ckpt"), "Control+o");
  await opened(page, "model.ckpt.meta");
  await tool(page, "transfer");
  await tabTo(page, "button", "Open files");
  await choose(page, [frozen]);
  await focused(page, "other-title");
  await tabTo(page, ".apply");
  await press(page, "Enter");
  await focused(page, "result-title");
  assert.match(await result(page), /^Transferred/);
  await perform(page, "diff");
  await focused(page, "difference-title");
});
