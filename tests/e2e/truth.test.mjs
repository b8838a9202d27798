// The page shows its models as their files are: formats, sizes, the place of zero, whole names, and what is listed first.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, settled, showTable, take } from "./browser.mjs";
import { checkpointFiles, corpus, data, missing, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kDetector = join(corpus, "tfjs_graph/npm__vscode__vscode-languagedetection/model");

async function sampleOf(t, options) {
  const page = await browser.page(t, options);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  return page;
}

const fact = (page, name) => page.locator(".facts > div").filter({ hasText: name }).locator("dd").textContent();
const asFile = (name, text) => ({ name, mimeType: "", buffer: Buffer.from(text) });
const kFloat = (key) => `attr { key: "${key}" value { type: DT_FLOAT } }`;

test("the format and the size of a result are those of its files, in the card and in the totals", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Freeze");
  const [file] = Object.values(await downloadAll(page));
  const size = `${(file.length / 1000).toPrecision(3)} kB`;
  assert.equal(await fact(page, "Format"), "GraphDef");
  assert.equal(await fact(page, "Size"), size);
  assert.equal(await page.locator(".totals tbody tr:last-child td").nth(1).textContent(), size);
  assert.match(await page.locator('.steps [aria-current="step"]').textContent(), new RegExp(size));
});

test("totals change by amounts, which do not round to all or nothing", async (t) => {
  const page = await sampleOf(t);
  const changes = await page.locator(".preview .totals tbody td:last-child").allTextContents();
  assert.deepEqual(changes.slice(0, 3), ["−275", "−27", "−60"]);
  assert.match(changes[3], /^−[\d.]+ kB$/);
});

test("the zero of a histogram is labeled where it is, and only where there is room", async (t) => {
  const page = await sampleOf(t);
  await showTable(page, "Weights");
  const places = async (name) => {
    await page.getByRole("row", { name: new RegExp(`^${name} (float|\\[)`) }).click();
    await page.locator("#node-title").getByText(name.split("/").at(-1)).waitFor();
    await page.locator(".histogram").waitFor();
    return page.locator(".histogram").evaluate((figure) => {
      const middle = (element) => {
        const { left, right } = element.getBoundingClientRect();
        return (left + right) / 2;
      };
      const label = figure.querySelector(".zero");
      return { line: middle(figure.querySelector("line")), label: label && middle(label) };
    });
  };
  const { line, label } = await places("conv1/weights");
  assert.ok(Math.abs(line - label) < 1.5, `${line}, ${label}`);
});

test("Use as input is undone by a second press, and shows the tool that does it", async (t) => {
  const page = await sampleOf(t);
  await take(page, "Validate");
  await showTable(page, "Nodes");
  await page.getByLabel("Filter").fill("conv1/relu");
  await page
    .getByRole("row", { name: /^conv1\/relu / })
    .first()
    .click();
  await page.getByRole("button", { name: "Use as input" }).click();
  assert.equal(await page.getByLabel("New input tensors").inputValue(), "conv1/relu");
  await page.getByRole("button", { name: "Remove from inputs" }).click();
  assert.equal(await page.getByLabel("New input tensors").inputValue(), "");
});

test("nodes of a list, of changes and of repairs lead to the inspector", async (t) => {
  const page = await sampleOf(t);
  await perform(page, "Freeze");
  await page.locator(".result-card summary").getByText("8 weights converted").click();
  await page.locator(".result-card").getByRole("button", { name: "conv2/weights" }).click();
  await page.locator("#node-title").getByText("conv2/weights").waitFor();
  await take(page, "Compare");
  await page.locator('input[name="other"]').setInputFiles(checkpointFiles(sample, "model.ckpt"));
  await page.locator(".tool .other").getByText("model.ckpt.meta").waitFor();
  await page.locator(".apply").click();
  await page.locator(".difference summary").getByText("8 nodes changed").click();
  await page.locator(".difference").getByRole("button", { name: "conv1/biases" }).click();
  await page.locator("#node-title").getByText("conv1/biases").waitFor();
});

test("many findings of one code are one, with the others below", async (t) => {
  const nodes = Array.from({ length: 12 }, (_, i) => `node { name: "n${i}" op: "NoSuchOp" }`);
  const page = await browser.page(t);
  await give(page, asFile("odd.pbtxt", nodes.join(" ")));
  await take(page, "Validate");
  await page.locator(".apply").click();
  await settled(page);
  const findings = page.locator(".verdict .diagnostic.error");
  assert.equal(await findings.count(), 1);
  await findings.locator("summary").getByText("11 more with this code").click();
  await findings.getByRole("button", { name: "node n7" }).click();
  await page.locator("#node-title").getByText("n7").waitFor();
});

test("in a function the tab counts its nodes, and its name can be removed at 1024 pixels", async (t) => {
  const page = await browser.page(t, { viewport: { width: 1024, height: 768 } });
  await page.locator('input[name="folder"]').setInputFiles(join(data, "objects/keras/saved"));
  await calm(page);
  await showTable(page, "Functions");
  for (const tab of await page.locator("#table-signatures, #table-functions").all()) {
    const { x, width } = await tab.boundingBox();
    const inside = await page.locator(".pane.contents").boundingBox();
    assert.ok(x + width <= inside.x + inside.width, "a tab is cut off");
  }
  await page.getByRole("row", { name: /^__inference_signature/ }).click();
  await page.locator(".chip span").waitFor();
  const amount = page.locator("#table-nodes .amount");
  await page.waitForFunction(() => document.querySelector("#table-nodes .amount").textContent !== "119");
  const rows = Number(await page.locator('.stage [role="grid"]').getAttribute("aria-rowcount")) - 1;
  assert.equal(await amount.textContent(), String(rows));
  const [chip, cross] = await Promise.all([
    page.locator(".filter .chip").boundingBox(),
    page.locator(".filter .chip span").boundingBox(),
  ]);
  assert.ok(cross.x + cross.width <= chip.x + chip.width, "the × is cut off");
});

test("long names begin where the others do, and end with their last part", async (t) => {
  const page = await sampleOf(t, { viewport: { width: 1024, height: 768 } });
  await showTable(page, "Nodes");
  const names = await page.locator(".table .name").evaluateAll((all) =>
    all.map((name) => {
      const last = name.lastElementChild;
      return { left: name.getBoundingClientRect().left, cut: last.scrollWidth > last.clientWidth + 1 };
    }),
  );
  assert.equal(new Set(names.map(({ left }) => left)).size, 1);
  assert.ok(names.every(({ cut }) => !cut));
});

test("without any output nothing is frozen", async (t) => {
  const page = await sampleOf(t);
  await page.locator(".choice input:checked").first().uncheck();
  await page.locator(".preview").getByText("No output is chosen").waitFor();
  await page.locator(".apply").click();
  await page.locator(".failure").waitFor();
  assert.equal(await page.locator(".steps button").count(), 1);
});

test("nodes are listed before weights", async (t) => {
  const page = await browser.loaded(t);
  await page.evaluate(() => {
    window.order = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      const [{ method, args } = {}] = message.request?.calls ?? [];
      if (method === "nodes") window.order.push("nodes");
      if (method === "list") window.order.push(args[0]);
      return postMessage.call(this, message, ...rest);
    };
  });
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  assert.deepEqual(await page.evaluate(() => window.order.slice(0, 2)), ["nodes", "weights"]);
});

test("a graph whose weights are inputs is not called frozen; a vector is 1 × n", async (t) => {
  const page = await browser.page(t);
  const graph = `node { name: "v" op: "Placeholder" attr { key: "dtype" value { type: DT_RESOURCE } } }
    node { name: "c" op: "Const" ${kFloat("dtype")}
      attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 16 } } float_val: 2 float_val: 1 } } } }
    node { name: "r" op: "ReadVariableOp" input: "v" ${kFloat("dtype")} }
    node { name: "y" op: "AddV2" input: "r" input: "c" ${kFloat("T")} }`;
  await give(page, asFile("reads.pbtxt", graph));
  await page.locator(".model-card .lead").getByText("Graph · 1 constant (18 bytes)", { exact: true }).waitFor();
  await showTable(page, "Weights");
  await page.getByRole("row", { name: /^c / }).click();
  await page.locator("tensor-picture figcaption").getByText("1 × 16").waitFor();
});

test("89 findings of a fused TensorFlow.js model are few cards", { skip: missing(kDetector) }, async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(kDetector);
  await page.locator(".model-card").waitFor();
  await take(page, "Validate");
  await page.locator(".apply").click();
  await settled(page);
  assert.ok((await page.locator(".verdict .diagnostic").count()) < 20);
});

test("at 1440 × 900 the picture has most of the window, and the scopes are in sight without scrolling", async (t) => {
  const page = await sampleOf(t, { viewport: { width: 1440, height: 900 } });
  const stage = await page.locator(".pane.contents").boundingBox();
  assert.ok(stage.width * stage.height > 0.4 * 1440 * 900, `${stage.width} × ${stage.height}`);
  const scope = await page.getByRole("treeitem").nth(5).boundingBox();
  assert.ok(scope.y + scope.height < 900);
});

test("weights that are listed later leave the table of nodes where it was scrolled to", async (t) => {
  const page = await browser.loaded(t);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      const [call] = message.request?.calls ?? [];
      const isWeights = call?.method === "list" && call.args[0] === "weights";
      if (isWeights) window.listWeights = () => postMessage.call(this, message, ...rest);
      else postMessage.call(this, message, ...rest);
    };
  });
  await page.getByRole("button", { name: "Try the sample" }).click();
  await page.getByRole("tab", { name: /^Nodes/ }).click();
  await page.getByRole("row", { name: /^conv1\/relu / }).waitFor({ state: "attached" });
  await page.locator(".stage .table").evaluate((table) => (table.scrollTop = 640));
  await page.evaluate(() => window.listWeights());
  await page.waitForFunction(() => /\d/.test(document.querySelector("#table-weights .amount").textContent));
  assert.equal(await page.locator(".stage .table").evaluate((table) => table.scrollTop), 640);
});
