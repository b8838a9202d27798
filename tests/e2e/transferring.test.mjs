// Transfer in the page: its preview is what Apply does, and the outcome for each variable stays.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, take } from "./browser.mjs";
import { checkpointFiles, frozenDigits, native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");

async function withSource(t, files, source) {
  const page = await browser.page(t);
  await give(page, files);
  await calm(page);
  await choose(page, source);
  return page;
}

async function choose(page, source) {
  await take(page, "Transfer");
  await page.locator('input[name="other"]').setInputFiles(source);
  await page.locator(".tool .other").getByText("digits.pb").waitFor();
}

const outcome = (page, place, title) => page.locator(`${place} details`).filter({ hasText: title });

test("a graph without its checkpoint: the preview refuses as Apply would, and matched variables alone are written", async (t) => {
  const source = frozenDigits(t);
  const page = await withSource(t, kMeta, source);
  await page.getByLabel("Exclude weights").fill("readout/**");
  await page.getByText("Can't transfer yet").waitFor();
  await page.locator(".preview").getByText("variables-without-value").waitFor();
  await outcome(page, ".preview", "6 matched").waitFor();
  await page.getByLabel("Write matched variables only").check();
  await page.locator(".preview .totals").waitFor();
  await perform(page, "Transfer");
  const options = ["--exclude", "readout/**", "--partial"];
  const written = native(t, "transfer", ["--from", source, "--into", kMeta], "model.transferred.ckpt", ...options);
  same(await downloadAll(page), written);
});

test("after Apply each variable's outcome is in a table, with its reason; values are meant to differ", async (t) => {
  const page = await withSource(t, checkpointFiles(sample, "model.ckpt"), frozenDigits(t));
  await page.getByLabel("Exclude weights").fill("readout/**");
  await outcome(page, ".preview", "6 excluded").waitFor();
  await perform(page, "Transfer");
  assert.equal(await page.locator("#result-title").textContent(), "Transferred 6 of 27 variables");
  await page.locator(".result-card").getByText("6 matched · 15 unmatched · 6 excluded").waitFor();
  for (const [title, row] of [
    ["6 matched", /conv1\/weights\s+same name/],
    ["15 unmatched", /conv1\/weights\/Adam\s+no weight of that name/],
    ["6 excluded", /readout\/weights\s+.*readout\/\*\*/],
  ]) {
    await outcome(page, ".result-card", title).locator("summary").click();
    await outcome(page, ".result-card", title).getByRole("gridcell").first().waitFor();
    assert.match(await outcome(page, ".result-card", title).innerText(), row);
  }
  assert.equal(await page.locator(".verify").count(), 0);
  await outcome(page, ".result-card", "6 matched").getByRole("button", { name: "conv2/weights" }).click();
  await page.locator("#node-title").getByText("weights").waitFor();
});

test("a link with a transfer says which options it has, and needs a source model", async (t) => {
  const source = frozenDigits(t);
  const page = await withSource(t, checkpointFiles(sample, "model.ckpt"), source);
  await page.getByLabel("Exclude weights").fill("readout/**");
  await perform(page, "Transfer");
  const files = await downloadAll(page);
  await page.getByRole("button", { name: "Recipe" }).click();
  await page.getByText("does not contain the second model").waitFor();
  const link = (await page.locator(".copied pre").allTextContents()).at(-1);
  const again = await browser.page(t);
  await again.goto(link);
  await again.reload();
  const card = again.locator(".recipe-card");
  await card.getByText("Transfer (Exclude weights: readout/**)").waitFor();
  await give(again, checkpointFiles(sample, "model.ckpt"));
  await calm(again);
  assert.ok(await card.getByRole("button", { name: "Apply" }).isDisabled());
  await card.locator('input[name="other"]').setInputFiles(source);
  await card.getByRole("button", { name: "Apply" }).click();
  await again.locator(".result-card").waitFor();
  same(await downloadAll(again), files);
});
