// The command palette: everything by name, with the keyboard alone, and as screen readers want a combobox.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, result, settled, showTable } from "./browser.mjs";
import { chain } from "./protobuf.mjs";
import { checkpointFiles, data, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();

async function sampleOf(t) {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  return page;
}

const field = (page) => page.getByRole("combobox", { name: "Search actions, nodes and weights" });
const labels = (page) => page.locator(".palette li > span").allTextContents();
const focused = (page) => page.evaluate(() => document.activeElement.id);

async function run(page, text) {
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await page.locator(".palette").waitFor({ state: "detached" });
}

test("a combobox: the field keeps the focus, the list follows it, Escape gives the focus back and ends nothing", async (t) => {
  const page = await sampleOf(t);
  await showTable(page, "Nodes");
  await page.locator("#filter").focus();
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  assert.equal(await field(page).evaluate((input) => input === document.activeElement), true);
  assert.equal(await field(page).getAttribute("aria-expanded"), "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await field(page).getAttribute("aria-activedescendant"), "command-2");
  assert.equal(await page.locator('.palette [aria-selected="true"]').getAttribute("id"), "command-2");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.locator(".palette li").last().getAttribute("aria-selected"), "true");
  await page.keyboard.type("zzz");
  await page.getByText("No results").waitFor();
  assert.equal(await field(page).getAttribute("aria-expanded"), "false");
  await page.keyboard.press("Escape");
  await page.locator(".palette").waitFor({ state: "detached" });
  assert.equal(await focused(page), "filter");
});

test("every button of the page is in it by name", async (t) => {
  const page = await sampleOf(t);
  await run(page, "conv1/relu");
  await page.locator(".node-buttons").waitFor();
  const buttons = await page
    .locator("header.bar, main")
    .getByRole("button")
    .filter({ visible: true })
    .and(page.locator(".button:enabled, .icon:enabled:not(.commands), .link:enabled"))
    .evaluateAll((all) => all.map((each) => each.ariaLabel ?? each.textContent.trim()));
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  const there = await labels(page);
  assert.deepEqual(
    buttons.filter((name) => !there.includes(name)),
    [],
  );
  for (const name of [
    "Open files",
    "Freeze",
    "Show Prune",
    "Add to outputs",
    "Set New input tensors",
    "Clear device placements",
    "Output probabilities",
    "Save as Graph (.pb)",
    "Open sample: Broken graph",
    "Theme: Dark",
    "Filter the table",
  ])
    assert.ok(there.includes(name), name);
});

test("the keyboard alone freezes, saves, opens a sample and changes the colours", async (t) => {
  const page = await sampleOf(t);
  await run(page, "freeze");
  await settled(page);
  assert.equal(await result(page), "Frozen: 8 variables became constants");
  await run(page, "save as .npz");
  await page.locator("#save-title").waitFor();
  await run(page, "theme dark");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await run(page, "sample frozen");
  await page.locator("#model-title").getByText("graph.pb").waitFor();
});

test("what was closed a moment ago does not close what is opened now", async (t) => {
  const page = await sampleOf(t);
  // Within one task, so that the news of what was closed comes last.
  const pressed = (presses) =>
    page.evaluate((keys) => {
      for (const key of keys)
        document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", { key, ctrlKey: key === "k", bubbles: true, cancelable: true }),
        );
    }, presses);
  // The news of a dialog that is closed after all others comes last.
  const open = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const last = document.body.appendChild(document.createElement("dialog"));
          last.onclose = () => {
            last.remove();
            resolve(document.querySelectorAll("dialog[open]").length);
          };
          last.open = true;
          last.close();
        }),
    );
  await pressed(["k"]);
  await field(page).waitFor();
  await page.keyboard.type("theme dark");
  await pressed(["Enter", "k"]);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await open(), 1);
  await pressed(["k", "k"]);
  assert.equal(await open(), 1);
  await pressed(["k"]);
  assert.equal(await open(), 0);
  await pressed(["k"]);
  assert.equal(await open(), 1);
});

test("an option is filled in, a flag is set, a tool and a table are shown", async (t) => {
  const page = await sampleOf(t);
  await run(page, "set set placeholder");
  assert.equal(await focused(page), "option-set");
  await run(page, "clear device placements");
  assert.equal(await page.getByLabel("Clear device placements").isChecked(), true);
  await run(page, "show validate");
  assert.equal(await focused(page), "tool-validate");
  await run(page, "show weights");
  assert.equal(await page.getByRole("tab", { name: /^Weights/ }).getAttribute("aria-selected"), "true");
  await run(page, "keyboard");
  await page.getByRole("dialog").getByText("Keyboard shortcuts").waitFor();
});

test("nodes, functions and weights without a graph are gone to by name", async (t) => {
  const page = await sampleOf(t);
  await run(page, "conv2/relu");
  await page.waitForFunction(() => document.activeElement.id === "node-title");
  assert.equal(await page.locator("#node-title").textContent(), "conv2/relu");
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await page.locator("#model-title").getByText("tables").waitFor();
  await page.getByRole("tab", { name: /Functions/ }).click();
  await page
    .getByRole("row", { name: /__inference_serve_/ })
    .first()
    .waitFor();
  await run(page, "__inference_serve_");
  await page.getByRole("button", { name: /In function: __inference/ }).waitFor();
  await give(
    page,
    ["index", "data-00000-of-00001"].map((end) => join(data, `objects/checkpoint/model.ckpt-1.${end}`)),
  );
  await page.locator("#model-title").getByText("model.ckpt-1").waitFor();
  await page.locator('.table-body [role="row"] code').first().waitFor();
  const name = await page.locator('.table-body [role="row"] code').first().textContent();
  await run(page, name);
  await page.locator("#node-title, .weight h2").first().waitFor();
});

test("a node of a hundred thousand is found", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "chain.pb", mimeType: "", buffer: chain(100000) });
  await calm(page);
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await field(page).fill("chain/a_node_with_a_longer_name_9999");
  await page.locator(".palette li").getByText("chain/a_node_with_a_longer_name_99990", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("#node-title").getByText("chain/a_node_with_a_longer_name_9999").waitFor();
});
