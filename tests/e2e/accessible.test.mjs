// Every state of the page, as axe sees it. The longest of these tests, and by its name the first.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kAllRules, kAxe, kRulesOfLook, violations } from "./axe.mjs";
import { kStates } from "./every_state.mjs";
import { withBrowser } from "./support.mjs";

const browser = withBrowser();
// States in which narrow screens show elements that wide ones do not: the switch of panes, and the sheet of open models.
const kOfNarrow = ["empty", "opened", "tabs", "asks_to_close"];

for (const [colorScheme, width] of [
  ["light", 1440],
  ["dark", 390],
]) {
  test(`axe finds nothing in any state, ${colorScheme}, ${width} wide`, async (t) => {
    const page = await browser.own(t, { colorScheme, viewport: { width, height: 900 } });
    await page.addInitScript(kAxe);
    await page.reload();
    for (const [name, reach] of Object.entries(kStates)) {
      await reach(page);
      await clean(page, name, width > 1000 || kOfNarrow.includes(name) ? kAllRules : kRulesOfLook);
    }
  });
}

async function clean(page, state, rules) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  assert.deepEqual(await violations(page, rules), [], state);
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(scrolls, false, `${state} scrolls sideways`);
}
