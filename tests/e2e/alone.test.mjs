// Without a network, and without a server.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { downloadAll, perform, root, visitAgainOffline } from "./browser.mjs";
import { native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");

async function freezesTheSample(t, page) {
  await page.getByRole("button", { name: "Try the sample" }).click();
  await perform(page, "Freeze");
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", "--outputs", "probabilities"));
}

test("after one visit it works without a network", async (t) => {
  const page = await browser.installed(t);
  await visitAgainOffline(page);
  await freezesTheSample(t, page);
});

test("the one file works from the disk, asks for nothing, and cannot", async (t) => {
  const page = await browser.fromDisk(t, join(root, "build/cryograph.html"));
  await freezesTheSample(t, page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search actions, nodes and weights" }).fill("open sample keras");
  await page.keyboard.press("Enter");
  await page.locator("#model-title").getByText("keras").waitFor();
  assert.deepEqual(page.seen.complaints, []);
  const answer = await page.evaluate(() =>
    fetch("data:,x").then(
      () => "connected",
      () => "refused",
    ),
  );
  assert.equal(answer, "refused");
  page.seen.complaints.length = 0; // the browser's own word on it
});
