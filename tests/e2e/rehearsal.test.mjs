// A made-up model is opened in a page that is not seen, before a person opens one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, give, rehearsed } from "./browser.mjs";
import { checkpointFiles, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const host = (page) => page.locator(".rehearsal");

test("a rehearsal is not seen, and leaves nothing", async (t) => {
  const page = await browser.page(t, {});
  await host(page).waitFor({ state: "attached" });
  assert.ok(
    await host(page).evaluate((element) => !element.checkVisibility({ visibilityProperty: true }) && element.inert),
  );
  assert.equal(await page.locator(".model-card, picture-view").count(), 0);
  await rehearsed(page);
  assert.equal(await page.locator("main.start").count(), 1);
  assert.equal(await page.locator('[role="status"]').textContent(), "");
  assert.equal(await page.title(), "Cryograph");
});

test("a model that is dropped meanwhile is opened, alone", async (t) => {
  const page = await browser.page(t, {});
  await host(page).waitFor({ state: "attached" });
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  assert.equal(await page.locator("#model-title").textContent(), "model.ckpt.meta");
  assert.equal(await page.getByRole("tab", { name: "made_up" }).count(), 0);
  await host(page).waitFor({ state: "detached" });
});
