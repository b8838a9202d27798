// Suggestions of a model: another type for a placeholder that is looked at, and a training graph made ready to serve.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, result, settled, take } from "./browser.mjs";
import { keys, layoutOf, sampleOf, shows, until, has } from "./pictured.mjs";
import { data, native, sample, same, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");
const field = (page) => page.getByLabel("Type and shape");
const editField = (page) => page.getByLabel("Types and shapes of placeholders");
const flag = (page) => page.getByLabel("Ready to serve");

test("a placeholder that is chosen on the picture takes another type, by keys alone", async (t) => {
  const page = await sampleOf(browser, t);
  await keys(page, "ArrowDown");
  await shows(page, "image");
  assert.equal(await field(page).inputValue(), "float32[?,28,28,1]");
  assert.ok(await page.getByRole("button", { name: "Apply edit" }).isDisabled());
  await field(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("float32[4,28,28,1]");
  assert.equal(await page.getByRole("tab", { name: "Edit" }).getAttribute("aria-selected"), "true");
  assert.equal(await editField(page).inputValue(), "image=float32[4,28,28,1]");
  await until(page, "image", has("would-change"));
  await page.keyboard.press("Enter");
  await page.locator("#result-title").waitFor();
  await settled(page);
  assert.match(await result(page), /change/);
  const edited = native(t, "edit", kMeta, "model.edited.ckpt", "--placeholder", "image=float32[4,28,28,1]");
  same(await downloadAll(page), edited);
  assert.ok((await layoutOf(page)).boxes.some(({ name }) => name === "image"));
});

test("the inspector and Edit have the same types, of several placeholders", async (t) => {
  const page = await sampleOf(browser, t);
  await keys(page, "ArrowDown");
  await shows(page, "image");
  await take(page, "Edit");
  await editField(page).fill("label=int64[?], image=[2,28,28,1], other=uint8[1,2]");
  assert.equal(await field(page).inputValue(), "[2,28,28,1]");
  await field(page).fill("[3,28,28,1]");
  assert.equal(await editField(page).inputValue(), "label=int64[?], other=uint8[1,2], image=[3,28,28,1]");
  await field(page).fill("float32[? ,28, 28,1]");
  assert.equal(await editField(page).inputValue(), "label=int64[?], other=uint8[1,2]", "its own type is no edit");
  await field(page).fill("");
  await page.getByText("Can't edit yet").waitFor();
  await field(page).blur();
  assert.equal(await field(page).inputValue(), "float32[?,28,28,1]");
  assert.equal(await editField(page).inputValue(), "label=int64[?], other=uint8[1,2]");
  await keys(page, "ArrowDown");
  await shows(page, "conv1/Conv2D");
  assert.equal(await field(page).count(), 0, "no placeholder");
});

test("a training graph suggests to make it ready to serve; others have that among the options", async (t) => {
  const page = await sampleOf(browser, t);
  const suggestion = page.getByRole("group", { name: "This looks like a training graph. To serve it:" });
  await suggestion.getByRole("checkbox").waitFor();
  assert.equal(await flag(page).count(), 1);
  await flag(page).check();
  await perform(page, "Freeze");
  const options = ["--outputs", "probabilities", "--inference"];
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", ...options));
  await give(page, join(data, "frozen_convnet/graph.pb"));
  await calm(page);
  await take(page, "Freeze");
  assert.equal(await suggestion.count(), 0);
  assert.equal(await flag(page).count(), 1);
});
