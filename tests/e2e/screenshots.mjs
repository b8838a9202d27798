// Pictures of every state of the page, light and dark, wide and narrow, to look at: build/screenshots. And README.md's: web/screenshot.png.
//   node tests/e2e/screenshots.mjs
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { calm, launch, openPage, root, serve } from "./browser.mjs";
import { kStates } from "./every_state.mjs";

const folder = join(root, "build/screenshots");

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
const page = await openPage(browser, server.address, { colorScheme: "light", viewport: { width: 1280, height: 780 } });
await page.getByRole("button", { name: "Try the sample" }).click();
await calm(page);
await kStates.box(page);
await page.waitForTimeout(250);
await page.screenshot({ path: join(root, "web/screenshot.png") });
await browser.close();
server.close();
