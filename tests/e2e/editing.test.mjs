// Edit in the page: nothing is asked before something is filled in, and the result is the native program's.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, take } from "./browser.mjs";
import { box, middle, view } from "./pictured.mjs";
import { data, frozenDigits, native, same, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");

async function opened(t) {
  const page = await browser.page(t);
  await give(page, kGraph);
  await calm(page);
  await take(page, "Edit");
  return page;
}

test("edit waits until something is filled in, then shows what changes", async (t) => {
  const page = await opened(t);
  await page.getByText("Fill in what to change.").waitFor();
  assert.ok(await page.locator(".apply").isDisabled());
  await page.getByLabel("Batch size").fill("4");
  await page.locator(".preview summary").getByText("1 change").click();
  await page.locator(".preview .texts").getByRole("gridcell").first().waitFor();
  await perform(page, "Edit");
  same(await downloadAll(page), native(t, "edit", kGraph, "graph.edited.pb", "--batch", "4"));
});

test("several edits are one result", async (t) => {
  const page = await opened(t);
  await page.getByLabel("Rename (FROM=TO)").fill("conv/**=first/**");
  await page.getByLabel("Types and shapes of placeholders").fill("x=uint8[?,8,8,1]");
  await page
    .locator(".preview")
    .getByText(/change/)
    .first()
    .waitFor();
  await perform(page, "Edit");
  const options = ["--rename", "conv/**=first/**", "--placeholder", "x=uint8[?,8,8,1]"];
  same(await downloadAll(page), native(t, "edit", kGraph, "graph.edited.pb", ...options));
});

const kJoined = ["--join", kGraph, "--connect", "pre/x=x", "--scope", "pre"];

async function withSecond(t) {
  const page = await opened(t);
  await page.getByText("Join a second model").click();
  await page.locator('input[name="other"]').setInputFiles(kGraph);
  await page.locator("#other-title").waitFor();
  await page.getByText("Inputs, and what feeds them").waitFor();
  return page;
}

test("a second model is joined: its tensor feeds an input", async (t) => {
  const page = await withSecond(t);
  await page.locator("#fed-ours-x").fill("x");
  await page
    .locator(".preview")
    .getByText("Needed where both", { exact: false })
    .or(page.locator(".preview .diagnostics"))
    .first()
    .waitFor();
  await page.getByLabel("Scope of a second model").fill("pre");
  await page.locator(".preview .totals").waitFor();
  await perform(page, "Edit");
  same(await downloadAll(page), native(t, "edit", kGraph, "graph.edited.pb", ...kJoined));
  await page.getByRole("button", { name: "Recipe" }).click();
  await page.getByText("--join graph.pb").waitFor();
  await page.getByText('join: await open("graph.pb")').waitFor();
});

test("of another second model, what was filled in for the first one can be cleared", async (t) => {
  const page = await withSecond(t);
  await page.locator("#fed-theirs-x").fill("y");
  await page.locator('input[name="other"]').setInputFiles(frozenDigits(t));
  await page.locator("#fed-theirs-image").waitFor();
  await page.getByText("not an input").waitFor();
  await page.locator("#fed-theirs-x").fill("");
  await page.getByText("Fill in what to change.").waitFor();
  assert.equal(await page.locator("#fed-theirs-x").count(), 0);
});

test("an output of the second model is dragged onto an input of the picture", async (t) => {
  const page = await withSecond(t);
  const chip = page.locator(".tensor-chips li").first();
  const output = await chip.textContent();
  await page.getByLabel("Scope of a second model").fill("pre");
  const dragTo = async (name) => {
    const window = await view(page).boundingBox();
    const [x, y] = middle(await box(page, name));
    await chip.dragTo(view(page), { targetPosition: { x: x - window.x, y: y - window.y } });
  };
  await dragTo("conv/relu");
  assert.equal(await page.locator("#fed-ours-x").inputValue(), "");
  await dragTo("x");
  assert.equal(await page.locator("#fed-ours-x").inputValue(), output);
});

test("a graph with an added signature becomes a SavedModel, which holds it", async (t) => {
  const page = await opened(t);
  await page.getByLabel("Add a signature").fill("score=x->p=y");
  await perform(page, "Edit");
  const { "saved_model.pb": ours } = await downloadAll(page);
  const theirs = native(t, "edit", kGraph, "graph.edited.zip", "--add-signature", "score=x->p=y", "--as", "savedmodel");
  assert.ok(theirs["graph.edited.zip"].includes(ours));
  await page.getByRole("tab", { name: /^Signatures\s*1$/ }).waitFor();
});

test("optimizations of freeze are listed, too", async (t) => {
  const page = await browser.page(t);
  await give(page, kGraph);
  await calm(page);
  await take(page, "Freeze");
  await page.getByLabel("Store weights in 8 bits").check();
  await page
    .locator(".preview summary")
    .getByText(/changes?$/)
    .waitFor();
  await perform(page, "Freeze");
  await page
    .locator(".result-card summary")
    .getByText(/changes?$/)
    .waitFor();
});
