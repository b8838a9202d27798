// Save as in the page: weights of several models, and how they are split, as the native program does it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, prepare, take } from "./browser.mjs";
import { data, native, same, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");

test("weights of a graph become a checkpoint in files of at most a size", async (t) => {
  const page = await browser.page(t);
  await give(page, kGraph);
  await calm(page);
  await take(page, "Save as");
  await page.getByLabel("Split weight files at").fill("300");
  await prepare(page, "weights");
  same(await downloadAll(page), native(t, "weights", kGraph, "graph.weights.ckpt", "--shard-size", "300"));
});

test("the mean of two open models is the native program's", async (t) => {
  const page = await browser.page(t);
  const folder = scratch(t);
  const half = join(folder, "half.pb");
  writeFileSync(half, native(t, "edit", kGraph, "half.pb", "--constant", "dense/biases=[1,2,3,4,5]")["half.pb"]);
  await give(page, half);
  await calm(page);
  await give(page, kGraph);
  await page.locator("#model-title").getByText("graph.pb").waitFor();
  await calm(page);
  await take(page, "Save as");
  await page.getByRole("group", { name: "Together with the weights of" }).getByLabel("half.pb").check();
  await page.getByLabel("Mean of several models").check();
  await prepare(page, "npz");
  same(await downloadAll(page), native(t, "weights", [kGraph, half], "graph.npz", "--average"));
});
