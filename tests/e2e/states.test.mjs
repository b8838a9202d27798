// The page when something goes wrong, is stopped, or is used without sight.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, holdReading, nameOf, perform, press, status } from "./browser.mjs";
import { untilMarked } from "./pictured.mjs";
import { chain, writeSparseGraph } from "./protobuf.mjs";
import { attr, constant, graphText, node, placeholder, type } from "../js/graph_text.mjs";
import { checkpointFiles, data, native, sample, scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");
const kPng = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

test("a picture is named as one, and the page goes on", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "model.pb", mimeType: "", buffer: kPng });
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /model\.pb.*PNG image.*What to do/s);
  assert.equal(await page.evaluate(() => document.activeElement.id), "failure-title");
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await page.locator(".model-card").waitFor();
  assert.equal(await page.locator(".failure").count(), 0);
});

test("a truncated graph says at which byte it breaks off, and the model before stays", async (t) => {
  const page = await browser.page(t);
  const graph = native(t, "freeze", kMeta, "digits.pb", "--outputs", "probabilities")["digits.pb"];
  await give(page, { name: "whole.pb", mimeType: "", buffer: graph });
  await page.locator(".model-card").waitFor();
  await give(page, { name: "half.pb", mimeType: "", buffer: graph.subarray(0, graph.length / 2) });
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /half\.pb, byte/);
  assert.equal(await nameOf(page), "whole.pb");
  await perform(page, "Un-freeze");
  assert.equal(await page.locator(".failure").count(), 0);
});

test("a graph without its checkpoint opens, and freezing it says what to open", async (t) => {
  const page = await browser.page(t);
  await give(page, kMeta);
  await page.getByText("No values loaded").waitFor();
  await press(page, "Freeze");
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /Open the graph together with/);
});

test("a missing shard is named", async (t) => {
  const page = await browser.page(t);
  await give(page, [kMeta, join(sample, "model.ckpt.index")]);
  await page.locator(".model-card").waitFor();
  assert.match(await page.locator(".model-card").textContent(), /Missing:\s+model\.ckpt\.data-00000-of-00001/);
});

test("a diagnostic's code says what it means when it is asked", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "model.pb", mimeType: "", buffer: kPng });
  await page.locator(".failure .meaning summary").click();
  await page.locator(".failure").getByText("a program other than TensorFlow").waitFor();
});

test("advice is for the page, not for a command line", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  const advice = page.locator(".preview .fix");
  await page.getByLabel("Other outputs").fill("no/such/node");
  await advice.getByText("What to do: The names are in the table of nodes").waitFor();
  await page.getByLabel("Other outputs").fill("");
  await page.getByLabel("Set values of placeholders and variables").fill("image");
  await advice.getByText("What to do: Write NAME=VALUE: is_training=false").waitFor();
});

test("validate gives its verdict", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await perform(page, "Validate");
  assert.equal(await page.locator("#verdict-title").textContent(), "Valid for TensorFlow 2.21.0: no issues found");
});

test("validate says where a model loads, and freeze makes a form for an earlier release", async (t) => {
  const page = await browser.page(t);
  await give(page, join(data, "frozen_convnet/graph.pb"));
  await page.locator(".model-card").waitFor();
  await page.locator("#tool-validate").click();
  await page.getByRole("button", { name: "Where does it load?" }).click();
  const title = page.locator("#compat-title");
  await title.waitFor();
  assert.match(
    await title.textContent(),
    /^Loads and runs in TensorFlow 2\.\d+ to 2\.21, TensorFlow\.js, TensorFlow Lite/,
  );
  const old = page.locator(".spans > li").first();
  assert.match(await old.textContent(), /TensorFlow 1\.2.*doesn't load it/);
  await old.locator("summary").click();
  await old.getByText("What to do: Freeze with “Strip default-valued attributes”").first().waitFor();
  await old.locator(".node-link").first().click();
  await page.locator(".inspector").waitFor();

  await old.getByRole("button", { name: "Mark the nodes that stop TensorFlow 1.2 to 1.4" }).click();
  await untilMarked(page, "match");

  await old.getByRole("button", { name: "Set it in Freeze" }).click();
  assert.equal(await page.getByLabel("For an earlier TensorFlow").inputValue(), "tensorflow-1.2");
  await page.getByLabel("For an earlier TensorFlow").selectOption("tensorflow-1.4");
  await perform(page, "Freeze");
  await page.locator("#tool-validate").click();
  await page.getByRole("button", { name: "Where does it load?" }).click();
  await title.getByText(/^Loads and runs in TensorFlow 1\.2 to 2\.21/).waitFor();
});

test("what TensorFlow.js does not have is cut off before and after the weights", async (t) => {
  const page = await browser.page(t);
  const float = type("T", "FLOAT");
  const steps = attr("boundaries", "list { f: 0 f: 1 }");
  const text = graphText(
    placeholder("x", "FLOAT", [4]),
    node("bucket", "Bucketize", ["x"], float + steps),
    node("place", "Cast", ["bucket"], type("SrcT", "INT32") + type("DstT", "FLOAT")),
    constant("w", "FLOAT", [4], "float_val: 2"),
    node("layer", "Mul", ["place", "w"], float),
    node("y", "AsString", ["layer"], float),
  );
  await give(page, { name: "graph.pbtxt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(".model-card").waitFor();
  await page.locator("#tool-validate").click();
  await page.getByRole("button", { name: "Where does it load?" }).click();
  const row = page.locator(".spans > li").filter({ hasText: /^\s*TensorFlow\.js/ });
  await row.getByText("Freeze with “New input tensors”: bucket and “Outputs to keep”: layer").waitFor();
  assert.equal(await row.locator("li .fix").count(), 0, "it is not repeated for each cause");
  await row.getByRole("button", { name: "Set it in Freeze" }).click();
  assert.equal(await page.getByLabel("New input tensors").inputValue(), "bucket");
  assert.equal(await page.getByLabel("Other outputs").inputValue(), "layer");
  await perform(page, "Freeze");
  await page.locator("#tool-validate").click();
  await page.getByRole("button", { name: "Where does it load?" }).click();
  await page
    .locator("#compat-title")
    .getByText(/TensorFlow\.js/)
    .waitFor();
});

test("cancel stops what runs at once, and what was open still works", async (t) => {
  const page = await browser.page(t);
  const path = join(scratch(t), "big.pb");
  writeSparseGraph(path, 475000);
  await give(page, path);
  await calm(page);
  await holdReading(page, 1e9);
  await press(page, "Un-freeze");
  await page.locator(".working").getByText("read").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".working").waitFor({ state: "detached" });
  assert.match(await status(page), /^Canceled/);
  assert.equal(await page.locator(".steps button").count(), 1);
  await perform(page, "Prune");
});

test("out of memory is an error, and the page starts afresh", async (t) => {
  const page = await browser.loaded(t); // the core of a used one has room
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page); // a preview that is stopped would end the worker
  const [worker] = page.workers();
  await worker.evaluate(() => {
    WebAssembly.Memory.prototype.grow = () => {
      throw new RangeError("no memory left");
    };
  });
  const path = join(scratch(t), "chain.pb");
  writeFileSync(path, chain(80000));
  await give(page, path);
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /does not fit into memory/);
  page.seen.complaints.length = 0; // the core's last word
  await perform(page, "Freeze");
  assert.notEqual(page.workers()[0], worker);
  await give(page, path);
  await page.locator("#model-title").getByText("chain.pb").waitFor();
});

// The worker ends at its next call.
function strike(worker) {
  return worker.evaluate(() => {
    self.onmessage = () => {
      throw new Error("struck by lightning");
    };
  });
}

test("a worker that ends by itself is an error, and the page starts afresh", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  await strike(page.workers()[0]);
  await press(page, "Freeze");
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /The worker ended.*struck by lightning/s);
  page.seen.complaints.length = 0; // the browser's own word on it
  await perform(page, "Freeze");
});

test("a model that was frozen for a release is made again in a fresh worker", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  await page.locator("#tool-freeze").click();
  await page.getByLabel("For an earlier TensorFlow").selectOption("tensorflow-1.4");
  await perform(page, "Freeze");
  const [worker] = page.workers();
  await strike(worker);
  await perform(page, "Prune"); // the preview's call ended the worker
  assert.notEqual(page.workers()[0], worker);
  page.seen.complaints.length = 0; // the browser's own word on it
});

test("neither the page nor its worker can connect anywhere, not even to where they came from", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await page.locator(".model-card").waitFor();
  for (const place of [page, page.workers()[0]]) {
    const answer = await place.evaluate(
      (url) =>
        fetch(url).then(
          () => "connected",
          () => "refused",
        ),
      page.url(),
    );
    assert.equal(answer, "refused");
  }
  assert.match(page.seen.complaints.join(), /connect-src 'none'/);
  page.seen.complaints.length = 0;
});
