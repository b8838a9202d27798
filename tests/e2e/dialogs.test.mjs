// Dialogs over the page: how they are closed, and where the focus is then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calm, perform } from "./browser.mjs";
import { withBrowser } from "./support.mjs";

const browser = withBrowser();

const kBeside = [20, 700];
const kWays = {
  Escape: (page) => page.keyboard.press("Escape"),
  "its ×": (page) => page.getByRole("button", { name: "Close", exact: true }).click(),
  "a press beside it": (page) => page.mouse.click(...kBeside),
};
const kDialogs = [/^Paste text/, /^Samples/, /^Keyboard/, /^Recipe/, /^Commands/];

async function frozen(t) {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  await perform(page, "Freeze");
  return page;
}

for (const [way, close] of Object.entries(kWays)) {
  test(`each dialog is closed by ${way}, and what opened it has the focus again`, async (t) => {
    const page = await frozen(t);
    for (const name of kDialogs) {
      if (way === "its ×" && name.test("Commands")) continue;
      const opener = page.getByRole("button", { name });
      await opener.click();
      await page.locator("dialog[open]").waitFor();
      await close(page);
      await page.locator("dialog").waitFor({ state: "detached" });
      assert.ok(await opener.evaluate((each) => each === document.activeElement), `${name} ${way}`);
    }
  });
}

test("a press within a dialog's edge, and a text that is marked beyond it, leave it open", async (t) => {
  const page = await frozen(t);
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.locator("#pasted").fill("node { }");
  const { x, y } = await page.locator("#pasted").boundingBox();
  await page.mouse.move(x + 40, y + 12);
  await page.mouse.down();
  await page.mouse.move(...kBeside);
  await page.mouse.up();
  const edge = await page.locator("dialog").boundingBox();
  await page.mouse.click(edge.x + 4, edge.y + 4);
  assert.equal(await page.locator("#pasted").inputValue(), "node { }");
});
