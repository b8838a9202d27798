// The view in the page's address and in the browser's history: function, open groups, selection.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, perform, until as untilFits } from "./browser.mjs";
import { box, drawn, has, isClosed, isOpen, keys, press, pressTwice, sampleOf, shows, until } from "./pictured.mjs";
import { checkpointFiles, data, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();

const viewOf = (page) =>
  page.evaluate(() => {
    const [, text] = /view=([^&]*)/.exec(location.hash) ?? [];
    return text ? JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))) : null;
  });

const linked = (page, fits) => untilFits(page, () => viewOf(page), fits);

test("open groups and the selection are in the address, and come back with the same model", async (t) => {
  const page = await sampleOf(browser, t);
  assert.equal(await viewOf(page), null);
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await linked(page, (view) => view?.node === "conv1/relu" && view.open === null);
  await keys(page, "Backspace");
  await until(page, "conv1", isClosed);
  await linked(page, (view) => view?.open && !view.open.includes("conv1"));
  await page.reload();
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  await drawn(page);
  await until(page, "conv1", has("chosen"));
  assert.ok(isClosed(await box(page, "conv1")));
  await shows(page, "conv1/relu");
  await page.getByRole("button", { name: "Reset the view" }).click();
  await until(page, "conv1", isOpen);
  await linked(page, (view) => view?.open === null);
});

test("the browser goes back to what was open before, and forward again", async (t) => {
  const page = await sampleOf(browser, t, { viewport: { width: 1440, height: 900 } });
  await keys(page, "f");
  await pressTwice(page, ":training");
  await until(page, ":training", isOpen);
  await linked(page, (view) => view?.open?.includes(":training"));
  await page.goBack();
  await until(page, ":training", isClosed);
  await page.goForward();
  await until(page, ":training", isOpen);
  await linked(page, (view) => view?.group === ":training");
});

test("a function is entered by the browser's history and by a link; one that a model does not have is not", async (t) => {
  const page = await browser.page(t);
  const tables = async () => {
    await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
    await calm(page);
    await drawn(page);
  };
  await tables();
  await page.getByRole("tab", { name: /Functions/ }).click();
  await page
    .getByRole("row", { name: /__inference_serve_/ })
    .first()
    .click();
  await page.getByRole("tab", { name: "Picture" }).click();
  await until(page, "None_Lookup/LookupTableFindV2");
  const { in: name } = await linked(page, (view) => view?.in.startsWith("__inference_serve_"));
  await page.goBack();
  await until(page, "serving_default_word");
  await page.goForward();
  await until(page, "None_Lookup/LookupTableFindV2");
  await page.reload();
  await tables();
  await until(page, "None_Lookup/LookupTableFindV2");
  await page.locator(".crumb[aria-current]").getByText(name).waitFor();
  await page.reload();
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  await until(page, "conv1");
});

test("a recipe's link has the view, which is shown after its steps", async (t) => {
  const page = await sampleOf(browser, t);
  await perform(page, "Freeze");
  await until(page, ":training", (found) => found === null);
  await until(page, "conv1/relu");
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "Backspace");
  await until(page, "conv1", isClosed);
  await linked(page, (view) => view?.node === "conv1/relu" && view.open);
  await page.getByRole("button", { name: "Recipe", exact: true }).click();
  const link = await page.locator("pre", { hasText: "#recipe=" }).textContent();
  assert.match(link, /#recipe=[\w-]+&view=[\w-]+$/);
  const other = await browser.page(t);
  await other.goto(link.trim());
  await other.reload();
  await give(other, checkpointFiles(sample, "model.ckpt"));
  await calm(other);
  await drawn(other);
  assert.ok(isOpen(await box(other, "conv1")));
  await other.getByRole("button", { name: "Apply", exact: true }).click();
  await other.locator("#result-title").waitFor();
  await until(other, "conv1", isClosed);
  await shows(other, "conv1/relu");
});

test("a link that is no view changes nothing", async (t) => {
  const page = await browser.loaded(t);
  for (const hash of ["view=", "view=%%%", "view=bnVsbA", "view=WzFd", "view=eyJvcGVuIjoxfQ", "view"]) {
    await page.evaluate((text) => (location.hash = text), hash);
    await page.reload();
    await give(page, checkpointFiles(sample, "model.ckpt"));
    await calm(page);
    assert.ok(isOpen(await until(page, "conv1")), hash);
  }
});
