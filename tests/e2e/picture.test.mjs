// The picture of a model: chosen from, opened, and marked, by mouse and by keys.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, perform, showTable, status, take } from "./browser.mjs";
import {
  box,
  colorAt,
  description,
  drawn,
  has,
  isAt,
  isClosed,
  isOpen,
  keys,
  layoutOf,
  marked,
  markedEdges,
  press,
  pressTwice,
  sampleOf,
  shows,
  until,
  view,
  wholePicture,
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
  const ground = await colorAt(page, [window.x + 2, window.y + 2]);
  for (const { name } of boxes.filter(({ open }) => !open)) {
    const { x, y, width, height } = await box(page, name);
    if (y + height > window.y + window.height) continue;
    assert.notEqual(await colorAt(page, [x + width / 4, y + height - 3]), ground, name);
  }
});

test("a press on a box shows its node in the inspector, and lights its edges", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  await until(page, "conv1/Conv2D", has("chosen"));
  assert.deepEqual(await marked(page, "chosen"), ["conv1/Conv2D"]);
  assert.ok((await markedEdges(page, "lit")).length >= 2);
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

const pins = async (page) => (await description(page)).pins.map(({ text }) => text);
const pinUntil = (page, wanted) =>
  page.waitForFunction((all) => {
    const chosen = document.querySelector("picture-view").description.pins.filter((each) => each.chosen);
    return JSON.stringify(chosen.map(({ text }) => text).sort()) === JSON.stringify(all);
  }, wanted);

test("O makes a node an output: the picture, the inspector and the tool have it; a click on its pin takes it off", async (t) => {
  const page = await sampleOf(browser, t);
  await until(page, "probabilities", has("pinned"));
  assert.deepEqual(await pins(page), ["output", "input"]);
  const own = (await description(page)).pins.filter(({ chosen }) => !chosen);
  assert.deepEqual(
    own.map(({ text }) => text),
    ["input"],
    "the model's own input is no choice",
  );
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "o");
  await until(page, "conv1/relu", has("pinned"));
  await pinUntil(page, ["output", "output"]);
  assert.equal(await page.getByRole("checkbox", { name: "conv1/relu" }).isChecked(), true);
  await page.getByRole("button", { name: "Remove from outputs" }).waitFor();
  assert.equal(await status(page), "conv1/relu: added to the outputs");
  await keys(page, "o");
  await until(page, "conv1/relu", (found) => !has("pinned")(found));
  assert.equal(await page.getByRole("checkbox", { name: "conv1/relu" }).count(), 0);
  await page.locator("#node-title").focus();
  await page.keyboard.press("o");
  await pinUntil(page, ["output", "output"]);
  const relu = await box(page, "conv1/relu");
  await page.mouse.click(relu.x + relu.width - 12, relu.y + relu.height + 4);
  await pinUntil(page, ["output"]);
  await shows(page, "conv1/relu");
  assert.equal(await status(page), "conv1/relu: removed from the outputs");
});

test("I makes a node an input, and Prune takes it; a closed group shows how many pins are in it", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "i");
  await pinUntil(page, ["input", "output"]);
  assert.equal(await page.getByLabel("New input tensors").inputValue(), "conv1/relu");
  await until(page, "conv1/Conv2D", has("would-go"));
  await press(page, "conv1/BiasAdd");
  await shows(page, "conv1/BiasAdd");
  await keys(page, "i", "Backspace");
  await until(page, "conv1", isClosed);
  await pinUntil(page, ["2 inputs", "output"]);
  const closed = await box(page, "conv1");
  await page.mouse.click(closed.x + 12, closed.y - 4);
  await until(page, "conv1", isOpen);
  const relu = await box(page, "conv1/relu");
  await page.mouse.click(relu.x + 12, relu.y - 4);
  await pinUntil(page, ["input", "output"]);
  assert.equal(await page.getByLabel("New input tensors").inputValue(), "conv1/BiasAdd");
});

test("a group is no output, and says so; a tool that keeps no outputs gives way to one that does", async (t) => {
  const page = await sampleOf(browser, t);
  await page.getByRole("treeitem", { name: /^conv2 / }).click();
  await keys(page, "o");
  assert.equal(await status(page), "Select a node of the main graph first.");
  await take(page, "Validate");
  await keys(page, "f");
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "o");
  await page.getByRole("tab", { name: "Prune", exact: true, selected: true }).waitFor();
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
  assert.equal((await box(page, "conv1")).count, 2);
  assert.ok(has("match")(await box(page, "conv2/relu")));
  assert.ok(has("faded")(await box(page, "conv2/Conv2D")));
  assert.ok(!has("faded")(await box(page, "conv2")), "an open group does not fade what is in it");
  await keys(page, "Enter");
  await until(page, "conv1/relu", has("match"));
  assert.equal((await box(page, "conv1")).count, 0, "an open group counts nothing");
  await field.fill("readout");
  await until(page, "conv1/relu", has("faded"));
  assert.ok(!has("faded")(await box(page, ":training")), "the tray may hold matches");
  await page.getByRole("button", { name: /^Filter: readout/ }).click();
  await until(page, "conv1/relu", (found) => !has("faded")(found));
  for (const mark of ["match", "faded"]) assert.deepEqual(await marked(page, mark), []);
  assert.ok((await description(page)).boxes.every(({ count }) => !count));
});

test("the preview fades the boxes that would go, and after the step the change since is a color", async (t) => {
  const page = await sampleOf(browser, t);
  await until(page, ":training", has("would-go"));
  await until(page, "conv1/Conv2D", has("would-change"));
  assert.ok(!has("would-go")(await box(page, "conv1/relu")));
  assert.equal(await page.getByRole("option", { name: "Change since the last step" }).count(), 0);
  await perform(page, "Freeze");
  await until(page, ":training", (found) => found === null);
  assert.deepEqual(await marked(page, "would-go"), []);
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
  const body = () => page.evaluate(() => document.querySelector("picture-view")?.drawn.layout.view.function ?? "");
  await page.waitForFunction(() =>
    document
      .querySelector("picture-view")
      ?.drawn.layout.view.function.startsWith("__inference_signature_wrapper_serve_"),
  );
  assert.match(await view(page).getAttribute("aria-label"), /^Picture of __inference_signature_wrapper_serve_/);
  const [main, inside] = await crumbs(page);
  assert.equal(main, "Main graph");
  assert.match(inside, /^__inference_signature_wrapper_serve_/);
  await crumb(page, "Main graph").click();
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
  await until(page, "None_Lookup/LookupTableFindV2", has("chosen"));
  assert.match((await crumbs(page))[1], /^__inference_serve_/);
  await press(page, "None_Lookup/LookupTableFindV2");
  await keys(page, "Backspace"); // it is in no group
  await until(page, "serving_default_word");
});

const crumb = (page, name) =>
  page.getByRole("navigation", { name: "Place in the graph" }).getByRole("button", { name });
const crumbs = (page) => page.locator(".crumbs li").allTextContents();

test("the line above names the groups around the chosen box, and each fits the window", async (t) => {
  const page = await sampleOf(browser, t);
  assert.deepEqual(await crumbs(page), ["Main graph"]);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  assert.deepEqual(await crumbs(page), ["Main graph", "conv1", "Conv2D"]);
  assert.equal(await crumb(page, "Conv2D").getAttribute("aria-current"), "location");
  await keys(page, "+", "+", "+", "+", "+");
  await crumb(page, "conv1").click();
  const window = await view(page).boundingBox();
  const group = await box(page, "conv1");
  isAt(
    { x: group.x + group.width / 2, y: group.y + group.height / 2 },
    { x: window.x + window.width / 2, y: window.y + window.height / 2 },
  );
  assert.ok(group.height <= window.height && group.height <= group.h + 1);
  await crumb(page, "Main graph").press("Enter");
  const all = await wholePicture(page);
  assert.ok(all.y >= window.y && all.height <= window.height);
  await keys(page, "Backspace");
  await until(page, "conv1", isClosed);
  assert.deepEqual(await crumbs(page), ["Main graph", "conv1"]);
});
