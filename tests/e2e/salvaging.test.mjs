// Damaged files in the page: it offers what is whole of them, says what is lost, and writes what the native program does.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, press } from "./browser.mjs";
import { checkpointFiles, data, native, same, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");

async function salvaged(page, lost) {
  await page.getByRole("button", { name: "Take what is whole" }).click();
  await page.locator("#result-title").getByText(`Salvaged: ${lost} lost`).waitFor();
  await page.locator(".result-card summary").getByText(`${lost} lost`).click();
}

test("a graph that is cut short gives its whole nodes", async (t) => {
  const page = await browser.page(t);
  const cut = join(scratch(t), "cut.pb");
  writeFileSync(cut, readFileSync(kGraph).subarray(0, 1500));
  await give(page, cut);
  await salvaged(page, "1 part");
  await page.locator(".result-card").getByRole("gridcell", { name: "dense/weights" }).waitFor();
  same(await downloadAll(page), native(t, "convert", cut, "cut.salvaged.pb", "--salvage"));
  await page.getByRole("button", { name: "Recipe" }).click();
  await page.getByText("convert cut.pb --salvage").waitFor();
  await page.getByText('open("cut.pb", { salvage: true })').waitFor();
});

test("a checkpoint with a damaged weight gives the others", async (t) => {
  const page = await browser.page(t);
  const folder = scratch(t);
  for (const path of checkpointFiles(join(data, "partitioned"), "model.ckpt")) {
    const bytes = readFileSync(path);
    if (path.includes(".data-")) bytes[3] ^= 1;
    writeFileSync(join(folder, path.split("/").at(-1)), bytes);
  }
  await give(page, checkpointFiles(folder, "model.ckpt"));
  await calm(page);
  await give(page, kGraph); // opened last; the files of the tab that failed are salvaged
  await calm(page);
  await page.locator(".model-tabs .tab-show").first().click();
  await calm(page);
  await press(page, "Freeze");
  await page.locator(".failure").getByText("Checksum does not match").waitFor();
  await salvaged(page, "1 part");
  same(
    await downloadAll(page),
    native(t, "convert", join(folder, "model.ckpt.meta"), "model.salvaged.ckpt", "--salvage"),
  );
});

test("an archive without its directory gives the files in it", async (t) => {
  const page = await browser.page(t);
  const cut = join(scratch(t), "cut.zip");
  const { "model.zip": whole } = native(t, "convert", kGraph, "model.zip", "--as", "savedmodel");
  writeFileSync(cut, whole.subarray(0, whole.length - 30));
  await give(page, cut);
  await salvaged(page, "1 part");
  await page.locator(".result-card").getByRole("gridcell", { name: "directory" }).waitFor();
});
