// Every state of the page, as axe sees it: https://github.com/dequelabs/axe-core. The longest of these tests, and by its name the first.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./browser.mjs";
import { kStates } from "./every_state.mjs";
import { withBrowser } from "./support.mjs";

const browser = withBrowser();
const kAxe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

for (const [colorScheme, width] of [
  ["light", 1440],
  ["dark", 390],
]) {
  test(`axe finds nothing in any state, ${colorScheme}, ${width} wide`, async (t) => {
    const page = await browser.page(t, { colorScheme, viewport: { width, height: 900 } });
    await page.addInitScript(kAxe);
    await page.reload();
    for (const [name, reach] of Object.entries(kStates)) {
      await reach(page);
      await clean(page, name);
    }
  });
}

async function clean(page, state) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false, resultTypes: ["violations"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => [state, id, ...nodes.map(({ html }) => html)]),
    [],
  );
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(scrolls, false, `${state} scrolls sideways`);
}
