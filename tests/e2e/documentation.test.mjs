// The documentation: from a disk, as a served folder, and from the page.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "./browser.mjs";
import { kAllRules, kAxe, kRulesOfLook, violations } from "./axe.mjs";
import { withBrowser } from "./support.mjs";

const browser = withBrowser();
const docs = join(root, "build/web/docs");
const kPages = readdirSync(docs, { recursive: true }).filter((name) => name.endsWith(".html"));

const fromDisk = (t, options) => browser.fromDisk(t, join(docs, "index.html"), options);

async function search(page, words) {
  await page.waitForLoadState(); // a link may have led here: until then no script listens
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.locator(".results a").first().waitFor();
}

test("every page from a disk, light and wide, dark and narrow: axe finds nothing, and nothing else is loaded", async (t) => {
  const page = await fromDisk(t);
  await page.addInitScript(kAxe);
  for (const name of kPages) {
    await page.goto(pathToFileURL(join(docs, name)).href);
    for (const [colorScheme, width, rules] of [
      ["light", 1440, kAllRules],
      ["dark", 390, kRulesOfLook],
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(scrolls, false, `${name} scrolls sideways`);
      if (rules === kRulesOfLook) await page.evaluate(shorten);
      assert.deepEqual(await violations(page, rules), [], `${name}, ${colorScheme}, ${width} wide`);
    }
  }
});

// In the page: the rows of a table look alike, and the items of a list.
function shorten() {
  for (const each of document.querySelectorAll("main :is(tr, li):nth-child(n + 6)")) each.remove();
}

test("search finds an option, a code and a member of the API, and leads to them, from a page in a folder too", async (t) => {
  const page = await fromDisk(t);
  for (const [words, heading] of [
    ["fold-assets", "I have a SavedModel with a vocabulary file, I want it inside the graph"],
    ["control-input-order", "control-input-order"],
    ["ModelCalls", "ModelCalls"],
  ]) {
    await search(page, words);
    await page.locator(".results a", { hasText: heading }).first().click();
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1));
    assert.equal(await page.locator(`[id="${id}"]`).textContent(), heading);
  }
});

test("on a narrow screen the results are within it", async (t) => {
  const page = await fromDisk(t, { viewport: { width: 390, height: 844 } });
  await search(page, "checkpoint slots");
  const { x, width } = await page.locator(".results").boundingBox();
  assert.ok(x >= 0 && x + width <= 390, `from ${x}, ${width} wide`);
});

test("what nothing has is said, and Escape closes the results", async (t) => {
  const page = await fromDisk(t);
  await page.keyboard.press("/");
  await page.keyboard.type("zyzzyva");
  await page.getByText("Nothing has all these words.").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".results").isVisible(), false);
});

test("the page links to it, and it to the page", async (t) => {
  const page = await browser.own(t);
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Documentation" }).click();
  const documentation = await opened;
  await documentation.getByRole("heading", { name: "Cryograph", level: 1 }).waitFor();
  await documentation.getByRole("link", { name: "Open the page" }).click();
  await documentation.getByRole("button", { name: "Try the sample" }).waitFor();
});

test("the page in one file links to the repository, because no documentation is next to it", async (t) => {
  const page = await browser.fromDisk(t, join(root, "build/cryograph.html"));
  const address = await page.getByRole("link", { name: "Documentation" }).getAttribute("href");
  assert.match(address, /^https:\/\/github\.com\/.*\/docs$/);
});
