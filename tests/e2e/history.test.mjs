// The way of steps: pointing at one tells what it changed, and applies nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, perform, root, take } from "./browser.mjs";
import { writeSparseGraph } from "./protobuf.mjs";
import { checkpointFiles, frozenDigits, sample, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");
const kProgram = process.env.CRYOGRAPH_NATIVE ?? join(root, "build/release/cryograph");

async function sampleOf(t) {
  const page = await browser.page(t);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  return page;
}

const chip = (page, name) => page.locator(".steps").getByRole("button", { name });
const card = (page) => page.getByRole("tooltip");

test("pointing at a step tells nodes, weights and bytes, and leaves everything as it is", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Prune");
  const pruned = ["prune", kMeta, "--outputs", "probabilities", "-o", join(scratch(t), "pruned.ckpt"), "--json"];
  const { removed } = JSON.parse(spawnSync(kProgram, pruned, { encoding: "utf8" }).stdout);
  await chip(page, /^Source/).click();
  await chip(page, /^Pruned/).hover();
  await card(page).getByText(`${removed.length} removed`).waitFor();
  const told = await card(page).textContent();
  assert.match(told, /Pruned since “Source”/);
  assert.match(told, /27 variables, [\d.]+ kB → 8, [\d.]+ kB/);
  assert.match(told, /Size\s*18[\d.]+ kB → [\d.]+ kB/);
  assert.equal(await chip(page, /^Source/).getAttribute("aria-current"), "step");
  await page.locator("#model-title").hover();
  await card(page).waitFor({ state: "detached" });
});

test("the keyboard's focus tells it too, Escape puts it away, and what was opened has nothing to tell", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Freeze");
  await chip(page, /^Frozen/).focus();
  await card(page).getByText("275 removed").waitFor();
  await card(page).getByText("8 changed").waitFor();
  assert.equal(await chip(page, /^Frozen/).getAttribute("aria-describedby"), await card(page).getAttribute("id"));
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
  await chip(page, /^Source/).focus();
  assert.equal(await card(page).count(), 0);
});

test("weights that were transferred are told as such", async (t) => {
  const page = await sampleOf(t);
  const path = frozenDigits(t);
  await take(page, "Transfer");
  await page.locator('input[name="other"]').setInputFiles(path);
  await page.locator(".other").getByText("digits.pb").waitFor();
  await perform(page, "Transfer");
  await chip(page, /^Transferred/).hover();
  await card(page).getByText("8 matched").waitFor();
  await card(page).getByText("no changes").waitFor();
});

test("of a graph of 1.9 GB it is told, too", async (t) => {
  const page = await browser.page(t);
  const path = join(scratch(t), "big.pb");
  writeSparseGraph(path, 475000);
  await give(page, path);
  await perform(page, "Prune");
  await chip(page, /^Pruned/).hover();
  await card(page).getByText("1 constant, 1.90 GB, unchanged").waitFor();
  await card(page).getByText("no changes").waitFor();
});
