// Edit in the page: nothing is asked before something is filled in, and the result is the native program's.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, take } from "./browser.mjs";
import { data, native, same, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");

async function opened(t) {
  const page = await browser.page(t);
  await give(page, kGraph);
  await calm(page);
  await take(page, "Edit");
  return page;
}

test("edit waits until something is filled in, then shows what changes", async (t) => {
  const page = await opened(t);
  await page.getByText("Fill in what to change.").waitFor();
  assert.ok(await page.locator(".apply").isDisabled());
  await page.getByLabel("Batch size").fill("4");
  await page.locator(".preview summary").getByText("1 change").click();
  await page.locator(".preview .texts").getByRole("gridcell").first().waitFor();
  await perform(page, "Edit");
  same(await downloadAll(page), native(t, "edit", kGraph, "graph.edited.pb", "--batch", "4"));
});

test("several edits are one result", async (t) => {
  const page = await opened(t);
  await page.getByLabel("Rename (FROM=TO)").fill("conv/**=first/**");
  await page.getByLabel("Types and shapes of placeholders").fill("x=uint8[?,8,8,1]");
  await page
    .locator(".preview")
    .getByText(/change/)
    .first()
    .waitFor();
  await perform(page, "Edit");
  const options = ["--rename", "conv/**=first/**", "--placeholder", "x=uint8[?,8,8,1]"];
  same(await downloadAll(page), native(t, "edit", kGraph, "graph.edited.pb", ...options));
});

test("optimizations of freeze are listed, too", async (t) => {
  const page = await browser.page(t);
  await give(page, kGraph);
  await calm(page);
  await take(page, "Freeze");
  await page.getByLabel("Store weights in 8 bits").check();
  await page
    .locator(".preview summary")
    .getByText(/changes?$/)
    .waitFor();
  await perform(page, "Freeze");
  await page
    .locator(".result-card summary")
    .getByText(/changes?$/)
    .waitFor();
});
