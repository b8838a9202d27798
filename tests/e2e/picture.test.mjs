// The picture of a model: chosen from, opened, and marked, by mouse and by keys.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, perform, showTable, status } from "./browser.mjs";
import {
  box,
  drawn,
  has,
  isAt,
  isClosed,
  isOpen,
  keys,
  layoutOf,
  press,
  pressTwice,
  sampleOf,
  shows,
  until,
  view,
} from "./pictured.mjs";
import { data, withBrowser } from "./support.mjs";

const browser = withBrowser();

test("a model opens with its picture, from its first box, large enough to be read", async (t) => {
  const page = await sampleOf(browser, t);
  assert.equal(await page.getByRole("tab", { name: "Picture" }).getAttribute("aria-selected"), "true");
  const window = await view(page).boundingBox();
  const first = await box(page, "image");
  assert.ok(
    first.x > window.x &&
      first.x + first.width < window.x + window.width &&
      first.y > window.y &&
      first.y < window.y + 100,
  );
  assert.ok(first.height / first.h >= 0.6);
  const { boxes } = await layoutOf(page);
  assert.equal(await page.locator('picture-view g[id^="b"]').count(), boxes.length);
});

test("a press on a box shows its node in the inspector, and lights its edges", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  await until(page, "conv1/Conv2D", has("chosen"));
  assert.equal(await page.locator("picture-view .chosen").count(), 1);
  assert.ok((await page.locator("picture-view .e.lit").count()) >= 2);
});

test("a double press and Enter open a group, Backspace closes it, and it stays where it was", async (t) => {
  const page = await sampleOf(browser, t, { viewport: { width: 1440, height: 900 } });
  await keys(page, "f");
  const closed = await box(page, ":training");
  await pressTwice(page, ":training");
  isAt(await until(page, ":training", isOpen), closed);
  await keys(page, "Backspace");
  isAt(await until(page, ":training", isClosed), closed);
  await keys(page, "Enter");
  isAt(await until(page, ":training", isOpen), closed);
  await page.locator(".inspector").getByRole("button", { name: "Close the group" }).click();
  isAt(await until(page, ":training", isClosed), closed);
});

test("a group stays where it was when a node in it is chosen, and the node's box is the group then", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  const open = await box(page, "conv1");
  await keys(page, "Backspace");
  const closed = await until(page, "conv1", isClosed);
  isAt(closed, open);
  await until(page, "conv1", has("chosen"));
  await keys(page, "Enter");
  isAt(await until(page, "conv1", isOpen), closed);
  await until(page, "conv1/Conv2D", has("chosen"));
});

test("arrow keys follow edges, and the status says each box", async (t) => {
  const page = await sampleOf(browser, t);
  const way = ["image", "conv1/Conv2D", "conv1/BiasAdd", "conv1/relu", "pool1"];
  for (const name of way) {
    await keys(page, "ArrowDown");
    await until(page, name, has("chosen"));
    const { label, op } = await box(page, name);
    await page.locator('[role="status"]').getByText(`${label}, ${op}`, { exact: true }).waitFor({ state: "attached" });
  }
  await keys(page, "ArrowUp", "ArrowUp", "ArrowUp");
  await until(page, "conv1/Conv2D", has("chosen"));
  await shows(page, "conv1/Conv2D");
  await keys(page, "Enter");
  await page.waitForFunction(() => document.activeElement.id === "node-title");
});

test("P keeps a node as an output: the picture, the inspector and the tool have it", async (t) => {
  const page = await sampleOf(browser, t);
  await until(page, "probabilities", has("pinned"));
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "p");
  await until(page, "conv1/relu", has("pinned"));
  assert.equal(await page.getByRole("checkbox", { name: "conv1/relu" }).isChecked(), true);
  await page.getByRole("button", { name: "Remove from outputs" }).waitFor();
  assert.equal(await status(page), "Relu: added to the outputs");
  await keys(page, "p");
  await until(page, "conv1/relu", (found) => !has("pinned")(found));
  assert.equal(await page.getByRole("checkbox", { name: "conv1/relu" }).count(), 0);
});

test("a node that is chosen elsewhere is marked, or the closed group around it, and comes into view", async (t) => {
  const page = await sampleOf(browser, t);
  await keys(page, "+", "+", "+", "+");
  const look = async (name) => {
    await showTable(page, "Nodes");
    await page.getByLabel("Filter").fill(name);
    await page
      .getByRole("row", { name: new RegExp(`^${name} `) })
      .first()
      .click();
    await shows(page, name);
    await page.getByLabel("Filter").fill("");
    await showTable(page, "Picture");
  };
  await look("readout/BiasAdd");
  await isInView(page, await until(page, "readout/BiasAdd", has("chosen")));
  await page
    .locator(".model-card")
    .getByRole("button", { name: /^image/ })
    .click();
  await isInView(page, await until(page, "image", has("chosen")));
  await page
    .locator(".model-card")
    .getByRole("button", { name: /^readout\/BiasAdd/ })
    .click();
  await isInView(page, await until(page, "readout/BiasAdd", has("chosen")));
  await keys(page, "Backspace");
  await until(page, "readout", isClosed);
  await look("readout/BiasAdd");
  await isInView(page, await until(page, "readout", has("chosen")));
  await page.getByRole("treeitem", { name: /^conv1 / }).click();
  await until(page, "conv1", has("chosen"));
});

async function isInView(page, { x, y, width, height }) {
  const window = await view(page).boundingBox();
  assert.ok(
    x >= window.x &&
      y >= window.y &&
      x + width <= window.x + window.width + 1 &&
      y + height <= window.y + window.height + 1,
  );
}

test("a filter marks the boxes that hold matches, and fades the others, until it is emptied", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  await keys(page, "Backspace");
  await until(page, "conv1", isClosed);
  const field = page.getByRole("searchbox", { name: "Search scopes" });
  await field.fill("op:Relu,BiasAdd");
  await until(page, "conv1", has("match"));
  const counts = () => page.locator("picture-view .count").allTextContents();
  assert.deepEqual(await counts(), ["2"]);
  assert.ok(has("match")(await box(page, "conv2/relu")));
  assert.ok(has("faded")(await box(page, "conv2/Conv2D")));
  assert.ok(!has("faded")(await box(page, "conv2")), "an open group does not fade what is in it");
  await keys(page, "Enter");
  await until(page, "conv1/relu", has("match"));
  assert.deepEqual(await counts(), []);
  await field.fill("readout");
  await until(page, "conv1/relu", has("faded"));
  assert.ok(!has("faded")(await box(page, ":training")), "the tray may hold matches");
  await page.getByRole("button", { name: /^Filter: readout/ }).click();
  await until(page, "conv1/relu", (found) => !has("faded")(found));
  assert.equal(await page.locator("picture-view").locator(".match, .faded, .count").count(), 0);
});

test("the preview fades the boxes that would go, and after the step the change since is a color", async (t) => {
  const page = await sampleOf(browser, t);
  await until(page, ":training", has("would-go"));
  await until(page, "conv1/Conv2D", has("would-change"));
  assert.ok(!has("would-go")(await box(page, "conv1/relu")));
  assert.equal(await page.getByRole("option", { name: "Change since the last step" }).count(), 0);
  await perform(page, "Freeze");
  await until(page, ":training", (found) => found === null);
  assert.equal(await page.locator("picture-view .would-go").count(), 0);
  await page.getByLabel("Color", { exact: true }).selectOption("change");
  await until(page, "conv1/Conv2D", ({ color }) => color === "changed");
  assert.equal((await box(page, "conv1/relu")).color, "same");
  await page.locator("picture-view .legend").getByText("unchanged").waitFor();
});

test("another color and every node leave open groups and the place as they are", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  await keys(page, "Backspace");
  await until(page, "conv1", isClosed);
  const before = await box(page, "conv1");
  await page.getByLabel("Color", { exact: true }).selectOption("weights");
  isAt(await until(page, "conv1", ({ color }) => color.startsWith("weights")), before);
  await page.getByLabel("Every node").check();
  await until(page, "conv2/weights");
  isAt(await until(page, "conv1", isClosed), before);
  await page.getByLabel("Every node").uncheck();
  await until(page, "conv2/weights", (found) => found === null);
  await page.getByRole("button", { name: "Reset the view" }).click();
  await until(page, "conv1", isOpen);
});

test("a function's body is drawn, and left again", async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await calm(page);
  await drawn(page);
  await page
    .getByRole("button", { name: /^serving_default_word/ })
    .first()
    .click();
  await page.locator(".neighbours").nth(1).getByRole("button").first().click();
  await page.getByRole("button", { name: /^__inference_signature_wrapper_serve_/ }).click();
  await page.getByRole("button", { name: /In function: __inference_signature_wrapper_serve_/ }).waitFor();
  const body = () => page.evaluate(() => document.querySelector("picture-view")?.drawn.layout.view.function ?? "");
  await page.waitForFunction(() =>
    document
      .querySelector("picture-view")
      ?.drawn.layout.view.function.startsWith("__inference_signature_wrapper_serve_"),
  );
  assert.match(await view(page).getAttribute("aria-label"), /^Picture of __inference_signature_wrapper_serve_/);
  await page.getByRole("button", { name: /In function: / }).click();
  await until(page, "serving_default_word");
  assert.equal(await body(), "");
});

test("a node of a called function is shown in the function", async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await calm(page);
  await drawn(page);
  const name = "StatefulPartitionedCall/StatefulPartitionedCall/None_Lookup/LookupTableFindV2";
  await press(page, name);
  await shows(page, name);
  assert.equal(await page.locator(".inspector .diagnostic").count(), 0);
  await page.getByRole("button", { name: "Show it in its function" }).click();
  await shows(page, "None_Lookup/LookupTableFindV2");
  await page.getByRole("button", { name: /In function: __inference_serve_/ }).waitFor();
  await until(page, "None_Lookup/LookupTableFindV2", has("chosen"));
});
