// The views of a model: tables, scopes, a node and its neighbors, a weight's values.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, showTable } from "./browser.mjs";
import { chain, writeSparseGraph } from "./protobuf.mjs";
import { data, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();

// With the table of nodes.
async function sampleOf(t) {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  await showTable(page, "Nodes");
  return page;
}

const names = (page) => page.locator('.table-body [role="row"] [role="gridcell"]:first-child').allTextContents();
const chosen = (page) => page.locator("#node-title").textContent();

test("the filter leaves rows that have all its words; op: is exact", async (t) => {
  const page = await sampleOf(t);
  await page.getByLabel("Filter").fill("conv1 relu");
  await page.getByText(/^\d+ of 309$/).waitFor();
  const found = await names(page);
  assert.ok(found.length > 0 && found.every((name) => /conv1/i.test(name)));
  await page.getByLabel("Filter").fill("op:MatMul");
  await page.getByText("6 of 309").waitFor();
  await page.getByLabel("Filter").fill("no such thing");
  await page.getByText("No rows match").waitFor();
});

test("filters narrow and exclude rows, in the tables and in the palette; the field explains them", async (t) => {
  const page = await sampleOf(t);
  const filter = page.getByLabel("Filter");
  const help = page.locator("#filter-help");
  await help.waitFor({ state: "hidden" });
  await filter.focus();
  await help.waitFor();
  await filter.fill("scope:conv1 role:variable -Adam -shape:[8]");
  await help.waitFor({ state: "hidden" });
  assert.deepEqual(await names(page), ["conv1/weights"]);
  await filter.fill("-op:Const");
  await page.getByText("240 of 309").waitFor();
  await showTable(page, "Weights");
  await filter.fill("type:int64 -role:constant");
  await page.getByText("1 of 96").waitFor();
  assert.deepEqual(await names(page), ["global_step"]);
  await page.keyboard.press("Control+k");
  const palette = page.locator(".palette");
  await palette.getByRole("combobox").fill("conv op:Conv2D");
  await palette.getByText("2 results").waitFor({ state: "attached" });
  assert.deepEqual(await palette.getByRole("option").locator("span").allTextContents(), [
    "conv1/Conv2D",
    "conv2/Conv2D",
  ]);
});

test("columns sort up, down and back", async (t) => {
  const page = await sampleOf(t);
  const before = await names(page);
  const head = page.getByRole("columnheader", { name: "Name" });
  await head.getByRole("button").click();
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  const up = await names(page);
  assert.deepEqual(up, [...up].sort());
  await head.getByRole("button").click();
  const down = await names(page);
  assert.deepEqual(down, [...down].sort().reverse());
  await head.getByRole("button").click();
  assert.deepEqual(await names(page), before);
});

test("a table of thousands has few rows in the document, and End goes to the last", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "chain.pb", mimeType: "", buffer: chain(20000) });
  await calm(page);
  await showTable(page, "Nodes");
  assert.ok((await page.locator('.table-body [role="row"]').count()) < 100);
  const table = page.getByRole("grid");
  assert.equal(await table.getAttribute("aria-rowcount"), "20002");
  await table.focus();
  await page.keyboard.press("End");
  await page.locator("#node-title").getByText("a_node_with_a_longer_name_19999").waitFor();
  assert.ok((await names(page)).includes("chain/a_node_with_a_longer_name_19999"));
});

test("a scope narrows the table, and goes again", async (t) => {
  const page = await sampleOf(t);
  await page.getByRole("treeitem", { name: /^conv2 / }).click();
  const found = await names(page);
  assert.ok(found.length > 0 && found.every((name) => name.startsWith("conv2/") || name === "conv2"));
  await page.getByRole("button", { name: /Scopes: conv2/ }).click();
  await page.getByText(/ of 309/).waitFor({ state: "detached" });
});

test("the outline is filtered as the table is, by keys alone, and Escape shows all of it again", async (t) => {
  const page = await sampleOf(t);
  const field = page.getByRole("searchbox", { name: "Search scopes" });
  const scopes = () => page.getByRole("treeitem").evaluateAll((all) => all.map(({ dataset }) => dataset.path));
  const all = await scopes();
  await field.fill("op:Relu");
  const found = page.locator(".outline [aria-live]");
  assert.equal(await found.textContent(), "3 found");
  assert.deepEqual(await scopes(), ["conv1", "conv2", "hidden"]);
  assert.equal(await page.getByLabel("Filter", { exact: true }).inputValue(), "op:Relu");
  assert.deepEqual(await names(page), ["conv1/relu", "conv2/relu", "hidden/relu"]);
  await field.fill("op:Conv2DBackpropFilter");
  assert.ok((await scopes()).length > 1, "scopes within scopes are open");
  await field.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.path), (await scopes())[0]);
  await page.keyboard.press("ArrowLeft");
  assert.equal((await scopes()).length, 1);
  await field.press("Escape");
  assert.equal(await field.inputValue(), "");
  assert.equal(await found.count(), 0);
  assert.deepEqual(await scopes(), all);
});

test("a node shows what feeds it and what it feeds, and they are walked, back and forward", async (t) => {
  const page = await sampleOf(t);
  await page.getByLabel("Filter").fill("probabilities op:Softmax");
  await page.getByRole("row", { name: /^probabilities Softmax/ }).click();
  await page.locator("#node-title").getByText("probabilities").waitFor();
  const fedBy = page.locator(".neighbours").first().getByRole("button");
  const before = (await fedBy.first().locator("code").textContent()).replace(/:\d+$/, "");
  await fedBy.first().click();
  await page.locator("#node-title").getByText(before.split("/").at(-1)).waitFor();
  assert.equal(await chosen(page), before);
  assert.equal(await page.evaluate(() => document.activeElement.id), "node-title");
  const feeds = page.locator(".neighbours").nth(1);
  assert.match(await feeds.textContent(), /probabilities/);
  await page.getByRole("button", { name: "Back" }).click();
  await page.locator("#node-title").getByText("probabilities").waitFor();
  await page.keyboard.press("Alt+ArrowRight");
  await page.locator("#node-title").getByText(before.split("/").at(-1)).waitFor();
});

test("the keyboard alone finds a node, looks at it, walks to another and keeps it as an output", async (t) => {
  const page = await sampleOf(t);
  await showTable(page, "Picture");
  await page.keyboard.press("2");
  assert.equal(await page.evaluate(() => document.activeElement.id), "contents-title");
  await page.keyboard.press("/");
  await page.keyboard.type("conv1 op:Relu");
  await page.getByText("1 of 309").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "node-title");
  assert.equal(await chosen(page), "conv1/relu");
  for (let i = 0; i < 7; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#node-title").getByText("conv1/BiasAdd").waitFor();
  await page.keyboard.press("Alt+ArrowLeft");
  await page.locator("#node-title").getByText("conv1/relu").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByRole("checkbox", { name: "conv1/relu" }).waitFor();
});

test("a weight's statistics, histogram, picture and values are there", async (t) => {
  const page = await sampleOf(t);
  await page.getByRole("tab", { name: /Weights/ }).click();
  await page.getByRole("row", { name: /^conv1\/weights (float|\[)/ }).click();
  await page.locator("tensor-picture canvas").waitFor();
  assert.match(await page.locator(".statistics").textContent(), /Min.*-?\d.*Max.*Mean.*Std dev/s);
  assert.ok((await page.locator(".histogram rect").count()) > 10);
  const first = await page.locator(".values li").first().textContent();
  await page.getByRole("button", { name: "Next values" }).click();
  await page.locator('.values[start="40"]').waitFor();
  await page.getByRole("button", { name: "Previous values" }).click();
  await page.locator('.values[start="0"]').waitFor();
  assert.equal(await page.locator(".values li").first().textContent(), first);
  const drawn = await page.locator("canvas").evaluate((canvas) => {
    const { data: pixels } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(pixels.buffer)).size;
  });
  assert.ok(drawn > 10, `${drawn} colours`);
});

test("a weight of gigabytes is not read before somebody asks", async (t) => {
  const page = await browser.page(t);
  const path = join(scratch(t), "big.pb");
  writeSparseGraph(path, 475000);
  await give(page, path);
  await calm(page);
  await page.getByRole("tab", { name: /Weights/ }).click();
  await page.locator(".stage").getByRole("row", { name: /GB/ }).click();
  await page.getByRole("button", { name: /Read values: 1\.90 GB/ }).waitFor();
});

test("functions and signatures of a SavedModel are listed", async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await page.locator(".model-card").waitFor();
  await page.getByRole("tab", { name: /Signatures/ }).click();
  await page
    .getByRole("row", { name: /serving_default/ })
    .first()
    .waitFor();
  await page.getByRole("tab", { name: /Functions/ }).click();
  await page
    .getByRole("row", { name: /__inference_serve_/ })
    .first()
    .click();
  await page.getByRole("button", { name: /In function: __inference/ }).waitFor();
  await page.getByRole("row", { name: /_Arg/ }).first().click();
  await page.locator(".op").getByText("_Arg").waitFor();
  await page.locator(".neighbours").nth(1).getByRole("button").first().click();
  await page.locator(".op").getByText("_Arg").waitFor({ state: "detached" });
});

test("a press on a row chooses that row, whatever is below the pointer when it ends", async (t) => {
  const page = await sampleOf(t);
  const row = page.locator('.stage [aria-rowindex="6"]');
  const name = await row.locator("[role=gridcell]").first().textContent();
  await row.hover();
  await page.mouse.down();
  await page.locator(".stage .table").evaluate((table) => (table.scrollTop = 3200));
  await page.locator('.stage [aria-rowindex="102"]').waitFor();
  await page.mouse.up();
  await page.locator("#node-title").getByText(name.trim(), { exact: true }).waitFor();
});

test("a list that takes long says how long it is, is stopped, and listed again", async (t) => {
  const page = await browser.loaded(t);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    let lost = false; // the first request for nodes is never answered
    Worker.prototype.postMessage = function (message, ...rest) {
      const isNodes = message.request?.calls?.[0]?.method === "nodes";
      if (isNodes && !lost) lost = true;
      else postMessage.call(this, message, ...rest);
    };
  });
  await page.getByRole("button", { name: "Try the sample" }).click();
  await page.getByRole("tab", { name: /^Nodes/ }).click();
  await page.getByText("Listing… 309 nodes").waitFor();
  await page.locator(".empty-table").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "List again" }).click();
  await page
    .getByRole("row", { name: /^conv1\/relu / })
    .first()
    .waitFor();
});
