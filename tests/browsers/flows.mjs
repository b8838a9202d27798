// The main flows, the same in every browser: what the page writes is what the native program writes, byte for byte.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root, serve } from "../e2e/browser.mjs";
import { writeSparseGraph } from "../e2e/protobuf.mjs";
import { checkpointFiles, frozenDigits, native, same, sample, scratch } from "../e2e/support.mjs";
import { button, cancel, downloadAll, drop, give, perform, press, seen, settled } from "./page.mjs";
import { endAll, until } from "./programs.mjs";

const kMeta = join(sample, "model.ckpt.meta");
const kKept = ["--outputs", "probabilities"];

const kFlows = {
  async "the sample, frozen"(t, page) {
    await visit(t, page);
    await freezesTheSample(t, page);
  },

  async "chosen files, pruned, with weights and without"(t, page) {
    await visit(t, page);
    await give(page, checkpointFiles(sample, "model.ckpt"));
    await perform(page, "prune");
    same(await downloadAll(page), {
      ...native(t, "prune", kMeta, "model.pruned.pb", ...kKept),
      ...native(t, "prune", kMeta, "model.pruned.ckpt", ...kKept),
    });
  },

  async "a dropped frozen graph, un-frozen"(t, page) {
    await visit(t, page);
    const path = frozenDigits(t, "digits.frozen.pb");
    await drop(page, path);
    await perform(page, "unfreeze");
    same(await downloadAll(page), native(t, "unfreeze", path, "digits.ckpt"));
  },

  async "weights of another model, transferred; again after cancel has ended the worker"(t, page) {
    await visit(t, page);
    const path = frozenDigits(t, "digits.frozen.pb");
    await give(page, checkpointFiles(sample, "model.ckpt"));
    await press(page, "#tool-transfer");
    await page.setFiles('input[name="other"]', [path]);
    await perform(page, "transfer");
    same(await downloadAll(page), native(t, "transfer", ["--from", path, "--into", kMeta], "model.transferred.ckpt"));
    await cancel(page, "prune");
    await perform(page, "prune");
  },

  async "what is running, cancelled: at once, and what was open still works"(t, page) {
    await visit(t, page);
    const path = join(scratch(t), "big.pb");
    writeSparseGraph(path, 475000);
    await give(page, [path]);
    await press(page, "#tool-unfreeze");
    await press(page, ".apply");
    await press(page, ".working button");
    await settled(page);
    assert.match(await page.evaluate(() => document.querySelector('[role="status"]').textContent), /^Canceled/);
    await perform(page, "prune");
  },

  async "a download's SHA-256, and the recipe"(t, page) {
    await visit(t, page);
    await freezesTheSample(t, page);
    await press(page, button("SHA-256"));
    const [bytes] = Object.values(await downloadAll(page));
    await seen(page, `//code[.="${createHash("sha256").update(bytes).digest("hex")}"]`);
    await press(page, button("Recipe"));
    await seen(
      page,
      '//dialog[@open]//pre[starts-with(., "cryograph freeze model.ckpt.meta --outputs probabilities")]',
    );
    await press(page, 'dialog button[aria-label="Close"]');
  },

  async "the picture of the model: a box chosen and a group closed by keys"(t, page) {
    await visit(t, page);
    await press(page, button("Try the sample"));
    await until("the picture", () => page.evaluate(() => Boolean(document.querySelector("picture-view")?.description)));
    await page.evaluate(keysOnPicture, ["ArrowDown", "ArrowDown"]);
    await seen(page, '//*[@id="node-title"][normalize-space()="conv1/Conv2D"]');
    const colors = await page.evaluate(colorsOfPicture);
    assert.ok(colors > 10, `${colors} colors`);
    await page.evaluate(keysOnPicture, ["Backspace"]);
    await until("the closed group", () =>
      page.evaluate(() =>
        document.querySelector("picture-view").drawn.layout.boxes.some(({ name, open }) => name === "conv1" && !open),
      ),
    );
  },

  async "a weight's histogram and picture"(t, page) {
    await visit(t, page);
    await press(page, button("Try the sample"));
    await press(page, "#table-weights");
    await press(page, '//*[@role="gridcell"][normalize-space()="conv1/weights"]');
    await seen(page, ".histogram rect");
    await seen(page, "canvas");
    const colours = await page.evaluate(coloursOfCanvas);
    assert.ok(colours > 10, `${colours} colours`);
  },

  async "without its server, after one visit"(t, page) {
    const server = await visit(t, page);
    await freezesTheSample(t, page);
    await page.evaluate(() =>
      navigator.serviceWorker.ready.then(
        ({ active }) =>
          new Promise((done) => {
            const look = () => active.state === "activated" && done();
            active.addEventListener("statechange", look);
            look();
          }),
      ),
    );
    server.close();
    await page.goto(server.address);
    await freezesTheSample(t, page);
  },

  async "the one file, from the disk"(t, page) {
    await page.goto(pathToFileURL(join(root, "build/cryograph.html")).href);
    await freezesTheSample(t, page);
  },

  async "the documentation, searched, from the disk"(t, page) {
    await page.goto(pathToFileURL(join(root, "build/web/docs/reference/diagnostics.html")).href);
    await page.evaluate(() => {
      const input = document.querySelector(".search input");
      input.focus();
      input.value = "control-input-order";
      input.dispatchEvent(new Event("input"));
    });
    await press(page, '//div[@class="results"]/a[starts-with(., "control-input-order")]');
    assert.equal(await page.evaluate(() => location.hash), "#control-input-order");
  },
};

/** Tests each flow in a browser, one after the other. */
export function testFlows(name, launch) {
  let browser;
  before(async () => (browser = await launch()));
  after(endAll);
  for (const [title, flow] of Object.entries(kFlows)) {
    test(`${name}: ${title}`, async (t) => {
      await flow(t, browser);
      assert.deepEqual(await browser.complaints(), []);
    });
  }
}

/** Opens the page at an origin of its own, so that nothing is left of the flow before. */
async function visit(t, page) {
  const server = await serve();
  t.after(() => server.close());
  await page.goto(server.address);
  return server;
}

async function freezesTheSample(t, page) {
  await press(page, button("Try the sample"));
  await perform(page, "freeze");
  same(await downloadAll(page), native(t, "freeze", kMeta, "model.frozen.pb", ...kKept));
}

function keysOnPicture(keys) {
  const view = document.querySelector("picture-view").shadowRoot.querySelector(".window");
  for (const key of keys) view.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
}

function colorsOfPicture() {
  const canvas = document.querySelector("picture-view").shadowRoot.querySelector(".window canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

function coloursOfCanvas() {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}
