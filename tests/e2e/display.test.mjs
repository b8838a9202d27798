// The page on unusual displays: forced colors, reduced motion, a zoom of 400 %.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, give, perform, showPane, showTable, take } from "./browser.mjs";
import { press as pressBox } from "./pictured.mjs";
import { checkpointFiles, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();

async function sampleOf(t, options) {
  const page = await browser.page(t, options);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  return page;
}

/** Returns true if a change alters an element's pixels, with a rim for outlines. */
async function looksOther(page, locator, change) {
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await locator.boundingBox();
  const clip = { x: Math.max(0, x - 4), y: Math.max(0, y - 4), width: width + 8, height: height + 8 };
  const before = await page.screenshot({ clip });
  await change();
  await page.mouse.move(0, 0);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return !before.equals(await page.screenshot({ clip }));
}

async function byKeyboard(page, control) {
  await control.focus();
  await page.keyboard.press("Shift");
}

const underline = (tab) => tab.evaluate((each) => getComputedStyle(each).borderBottomColor);

for (const colorScheme of ["light", "dark"]) {
  test(`in forced colours, ${colorScheme}, focus and selection can be seen`, async (t) => {
    const page = await sampleOf(t, { colorScheme, forcedColors: "active", reducedMotion: "reduce" });
    assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
    const picture = page.getByRole("application");
    assert.ok(await looksOther(page, picture, () => pressBox(page, "image")), "a box's selection");
    const group = page.getByRole("treeitem", { name: /^conv1 / });
    assert.ok(await looksOther(page, picture, () => group.click()), "a scope's selection on the picture");
    assert.ok(await looksOther(page, picture, () => byKeyboard(page, picture)), "the focus of the picture");
    await showTable(page, "Nodes");
    const row = page.locator('.table-body [role="row"]').nth(2);
    assert.ok(await looksOther(page, row, () => row.click()), "a row's selection");
    const scope = page.getByRole("treeitem", { name: /^conv2 / });
    assert.ok(await looksOther(page, scope, () => scope.click()), "a scope's selection");
    const tab = page.getByRole("tab", { name: "Prune", exact: true });
    assert.ok(await looksOther(page, tab, () => tab.click()), "a tab's selection");
    assert.notEqual(
      await underline(tab),
      await underline(page.getByRole("tab", { name: "Freeze", exact: true })),
      "of tabs one alone is underlined",
    );
    const output = page.locator(".choice").first();
    assert.ok(await looksOther(page, output, () => output.click()), "an output that is ticked");
    for (const [what, control] of Object.entries({
      "a button": page.getByRole("button", { name: "Open files" }),
      "a field": page.getByLabel("Filter"),
      "the table": page.getByRole("grid"),
      "a tab": tab,
      "a link": page.getByRole("button", { name: "Keyboard" }),
    })) {
      assert.ok(await looksOther(page, control, () => byKeyboard(page, control)), `the focus of ${what}`);
    }
    await page.keyboard.press("Control+k");
    await page.locator(".palette input").waitFor();
    const option = page.locator(".palette li").nth(1);
    assert.ok(await looksOther(page, option, () => page.keyboard.press("ArrowDown")), "an option of the palette");
  });
}

test("with reduced motion nothing moves, and colours change at once", async (t) => {
  const page = await sampleOf(t, { reducedMotion: "reduce" });
  await perform(page, "Freeze");
  const slow = await page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((each) =>
        getComputedStyle(each)
          .transitionDuration.split(", ")
          .some((time) => time !== "0s"),
      )
      .map(({ className }) => className),
  );
  assert.deepEqual(slow, []);
  const moving = await page.evaluate(() =>
    [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSKeyframesRule)
      .flatMap((rule) => [...rule.cssRules].flatMap(({ style }) => [...style]))
      .filter((property) => property !== "opacity"),
  );
  assert.deepEqual(moving, []);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
});

// 1280 x 1024 at 400 %: content is to be read and done without scrolling in two directions (WCAG 1.4.10).
test("at a zoom of 400 % everything is there, in one column", async (t) => {
  const page = await browser.page(t, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });
  await fits(page, "empty");
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  await fits(page, "model");
  await showPane(page, "Graph");
  await fits(page, "picture");
  await showTable(page, "Nodes");
  await page.getByLabel("Filter").fill("conv1/relu");
  await page
    .getByRole("row", { name: /^conv1\/relu/ })
    .first()
    .click();
  await page.locator("#node-title").waitFor();
  await fits(page, "inspector");
  await showPane(page, "Graph");
  await fits(page, "contents");
  for (const tool of ["Prune", "Transfer", "Validate", "Compare", "Save as"]) {
    await take(page, tool);
    await fits(page, tool);
  }
  await perform(page, "Freeze");
  await fits(page, "result");
  await page.getByRole("button", { name: "Recipe" }).click();
  await fits(page, "recipe");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Open files" }).waitFor();
  await fits(page, "palette");
});

async function fits(page, state) {
  const { scrolls, cut } = await page.evaluate(() => {
    const inScroller = (each) =>
      each.closest(".buttons, .tabs, .steps, .scroll, pre, .visually-hidden, .table, canvas, svg");
    const shown = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 0;
    const cut = [...document.querySelectorAll("body *")].filter(
      (each) => shown(each) && !inScroller(each) && each.getBoundingClientRect().right > innerWidth + 1,
    );
    return {
      scrolls: document.documentElement.scrollWidth > innerWidth,
      cut: cut.map((each) => each.outerHTML.slice(0, 120)),
    };
  });
  assert.deepEqual(cut, [], state);
  assert.equal(scrolls, false, `${state} scrolls sideways`);
}

const within = (locator, place) =>
  locator.evaluate((each, selector) => {
    const [it, around] = [each, each.closest(selector)].map((one) => one.getBoundingClientRect());
    return it.left >= around.left - 1 && it.right <= around.right + 1 && it.top >= around.top - 1;
  }, place);

test("on a narrow screen the tool and the step that were chosen are seen in their rows", async (t) => {
  const page = await sampleOf(t, { viewport: { width: 390, height: 844 } });
  for (const tool of ["Prune", "Freeze", "Prune"]) {
    await perform(page, tool);
    assert.ok(await within(page.getByRole("tab", { name: "Result" }), ".tabs"), tool);
    assert.ok(await within(page.locator('[aria-current="step"]'), ".steps"), tool);
  }
});

test("a tool is seen from its top, however far another was scrolled", async (t) => {
  const page = await sampleOf(t, { viewport: { width: 1280, height: 700 } });
  await page.locator(".tool").evaluate((tool) => tool.scrollTo(0, 1000));
  assert.ok(await page.locator(".tool").evaluate((tool) => tool.scrollTop > 0));
  await take(page, "Save as");
  assert.equal(await page.locator(".tool").evaluate((tool) => tool.scrollTop), 0);
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a tool's button stays where it is while the preview comes, which covers no option that was in sight, at ${viewport.width} pixels`, async (t) => {
    const page = await sampleOf(t, { viewport });
    await take(page, "Freeze");
    await page.evaluate(() => {
      globalThis.places = new Set();
      const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
      const note = () => {
        if (document.querySelector(".apply")) globalThis.places.add(`${top(".preview")} ${top(".apply")}`);
        requestAnimationFrame(note);
      };
      note();
    });
    for (const tool of ["Prune", "Freeze", "Prune"]) {
      await take(page, tool);
      await page.getByLabel("Other outputs").fill("logits");
      await page.locator('.preview[aria-busy="false"] .totals').waitFor();
    }
    const { places, covered } = await page.evaluate(() => {
      const button = document.querySelector(".apply");
      const { left, top, width, height } = button.getBoundingClientRect();
      const on = document.elementFromPoint(left + width / 2, top + height / 2);
      return { places: [...globalThis.places], covered: on !== button };
    });
    assert.equal(places.length, 1, String(places));
    assert.ok(!covered);
  });
}
