import { drop, launch, openPage, perform, root, serve, showPane, take } from "./browser.mjs";
import { drawnDigit } from "./digits.mjs";
const server = await serve(); const browser = await launch();
for (const path of process.argv.slice(2)) {
  const page = await openPage(browser, server.address, {viewport:{width:1440,height:900}});
  try {
  await drop(page, [path]);
  await page.locator(".model-card, .failure").first().waitFor();
  const tool = (await page.locator('[role=tab][id^=tool]').first().textContent()).trim();
  await perform(page, tool);
  await page.locator(".run summary").click();
  console.log((await page.locator(".given").textContent()).replace(/\s+/g," "));
  if (process.env.IMG) await page.locator('input[name^="given-"]').first().setInputFiles(drawnDigit().file);
  await page.waitForTimeout(300);
  const t=Date.now();
  await page.getByRole("button", { name: "Verify against the model before" }).click();
  await page.waitForTimeout(100);
  await page.locator("#verified-title, .failure").first().waitFor({timeout:120000});
  console.log(tool, Date.now()-t, (await page.locator(".verified, .failure").first().textContent()).replace(/\s+/g," ").slice(0,900));
  } catch(e) { console.log(path, String(e).replace(/\s+/g," ").slice(0,400)); }
  await page.screenshot({path:"/tmp/vp_m.png"});
  console.log(page.seen.complaints);
  await page.context().close();
}
await browser.close(); server.close();
