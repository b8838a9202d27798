// Pictures of the page's states, light and dark, wide and narrow, to look at: build/screenshots.
//   node tests/e2e/screenshots.mjs
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { drawnDigit, withOtherWeight } from "./digits.mjs";
import { calm, give, launch, openPage, perform, root, serve, showPane, take } from "./browser.mjs";

const folder = join(root, "build/screenshots");
const kPng = Buffer.from("\x89PNG\r\n\x1a\n000000", "latin1");

// Each goes on from the state before it.
const kStates = {
  async empty() {},
  async opened(page) {
    await page.getByRole("button", { name: "Try the sample" }).click();
    await calm(page);
  },
  async nodes(page) {
    await showPane(page, "Contents");
    await page.getByLabel("Filter").fill("conv");
  },
  async node(page) {
    await page.getByRole("row", { name: /^conv1\/relu / }).first().click();
    await page.locator("#node-title").waitFor();
  },
  async weight(page) {
    await showPane(page, "Contents");
    await page.getByRole("tab", { name: /Weights/ }).click();
    await page.getByLabel("Filter").fill("");
    await page.getByRole("row", { name: /^conv2\/weights (float|\[)/ }).click();
    await page.locator("canvas").waitFor();
  },
  async freeze(page) {
    await take(page, "Freeze");
  },
  async transfer(page) {
    await take(page, "Transfer");
  },
  async validated(page) {
    await perform(page, "Validate");
  },
  async result(page) {
    await perform(page, "Freeze");
  },
  async verified(page) {
    await page.locator(".run summary").click();
    await page.locator('input[name="given-image"]').setInputFiles(drawnDigit().file);
    await page.locator(".given img").waitFor();
    await page.getByRole("button", { name: "0 to 1", exact: true }).click();
    await page.getByRole("button", { name: "Verify against the model before" }).click();
    await page.locator(".verified").waitFor();
  },
  async differs(page) {
    await take(page, "Compare");
    await page.locator('input[name="other"]').setInputFiles({ name: "broken.pb", mimeType: "", buffer: await withOtherWeight("conv2/weights") });
    await page.locator("#other-title + p").getByText("broken.pb").waitFor();
    await page.getByRole("button", { name: "Run both" }).click();
    await page.locator(".verified.bad").waitFor();
  },
  async save(page) {
    await take(page, "Save as");
  },
  async recipe(page) {
    await page.getByRole("button", { name: "Recipe" }).click();
  },
  async keys(page) {
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Keyboard" }).click();
  },
  async palette(page) {
    await page.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("Control+k");
    await page.locator(".palette input").fill("conv");
  },
  async change(page) {
    await page.keyboard.press("Escape");
    await showPane(page, "Operate");
    await page.locator(".steps button").last().focus();
    await page.getByRole("tooltip").getByText("gone").waitFor();
  },
  async samples(page) {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Samples", exact: true }).click();
  },
  async refused(page) {
    await page.getByRole("dialog").getByRole("button", { name: /^Broken graph/ }).click();
    await page.getByText("TensorFlow would refuse this model").first().waitFor();
  },
  async missing(page) {
    await give(page, join(root, "web/samples/digits/model.ckpt.meta"));
    await page.locator(".missing").waitFor();
  },
  async error(page) {
    await give(page, { name: "digits.pb", mimeType: "", buffer: kPng });
    await page.locator(".failure").waitFor();
  },
};

mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1440, 390]) {
    const viewport = { width, height: width > 800 ? 900 : 844 };
    const page = await openPage(browser, server.address, { colorScheme, viewport });
    for (const [name, reach] of Object.entries(kStates)) {
      await reach(page);
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: width < 800 });
    }
    if (page.seen.complaints.length) console.log(page.seen.complaints);
    await page.context().close();
  }
}
// That of README.md, web/screenshot.png.
const page = await openPage(browser, server.address, { colorScheme: "light", viewport: { width: 1280, height: 800 } });
for (const name of ["opened", "weight"]) await kStates[name](page);
await page.waitForTimeout(250);
await page.screenshot({ path: join(folder, "readme.png") });
await browser.close();
server.close();
