// Pictures of the page's states, light and dark, wide and narrow: build/screenshots.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { give, launch, openPage, root, serve } from "./browser.mjs";

const folder = join(root, "build/screenshots");
mkdirSync(folder, { recursive: true });
const sample = readFileSync(join(root, "web/samples/digits/model.ckpt.meta"));
writeFileSync(join(folder, "digits.png.pb"), Buffer.from("\x89PNG\r\n\x1a\n000000", "latin1"));

const server = await serve();
const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1440, 390]) {
    const viewport = { width, height: width > 800 ? 900 : 844 };
    const page = await openPage(browser, server.address, { colorScheme, viewport });
    const shot = async (state) => {
      await page.evaluate(() => scrollTo(0, 0));
      const path = join(folder, `${state}-${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: state !== "empty" });
    };
    await shot("empty");
    await page.getByRole("button", { name: "Try the sample" }).click();
    await page.locator(".model-card").waitFor();
    await shot("opened");
    await page.getByRole("button", { name: "Freeze Variables" }).click();
    await page.locator(".result-card").waitFor();
    await shot("result");
    await page.locator(".result-card summary").click();
    await give(page, join(folder, "digits.png.pb"));
    await page.locator(".failure").waitFor();
    await shot("error");
    await give(page, [{ name: "model.ckpt.meta", mimeType: "", buffer: sample }]);
    await page.locator(".failure").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Freeze Variables" }).click();
    await page.locator(".failure").waitFor();
    await shot("missing");
    if (page.seen.complaints.length) console.log(page.seen.complaints);
    await page.context().close();
  }
}
const page = await openPage(browser, server.address, { viewport: { width: 1200, height: 800 } });
await page.getByRole("button", { name: "Try the sample" }).click();
await page.locator(".model-card").waitFor();
await page.screenshot({ path: join(folder, "readme.png") });
await browser.close();
server.close();
