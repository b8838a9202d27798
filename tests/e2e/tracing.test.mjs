// Upstream, downstream, a path between two nodes, and why a node is needed: computed, and shown on the picture.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { calm, give, root, showPane, status } from "./browser.mjs";
import { box, drawn, has, keys, marked, markedEdges, press, sampleOf, shows, until } from "./pictured.mjs";
import { data, withBrowser } from "./support.mjs";

const {
  outputFiles: [script],
} = await build({
  stdin: { contents: 'export * from "./node_flow.js";', resolveDir: join(root, "web/tools") },
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const { NodeFlow, intersection, members } = await import(
  `data:text/javascript;base64,${Buffer.from(script.text).toString("base64")}`
);

const browser = withBrowser();

/** The columns of a graph: `inputsOf[n]` are the inputs of node n, -1 for one that is missing. */
function columns(inputsOf) {
  const ends = [];
  let end = 0;
  for (const inputs of inputsOf) ends.push((end += inputs.length));
  return { inputEnds: Uint32Array.from(ends), inputs: Int32Array.from(inputsOf.flat()) };
}

/** Numbers that are the same in every run. */
function* numbers(seed = 7) {
  for (let state = seed; ; yield state) state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
}

test("upstream and downstream are what a search by definition finds, in graphs with loops and missing inputs", () => {
  const next = numbers();
  const below = (limit) => (next.next().value >> 8) % limit;
  for (let round = 0; round < 60; round++) {
    const length = 1 + below(24);
    const inputsOf = Array.from({ length }, () =>
      Array.from({ length: below(4) }, () => (below(8) ? below(length) : -1)),
    );
    const flow = new NodeFlow(columns(inputsOf));
    const reaches = inputsOf.map((_, a) => inputsOf.map((__, b) => a === b));
    for (let again = true; again;) {
      again = false;
      for (let b = 0; b < length; b++)
        for (const via of inputsOf[b].filter((each) => each >= 0))
          for (let a = 0; a < length; a++) if (reaches[a][via] && !reaches[a][b]) again = reaches[a][b] = true;
    }
    const all = inputsOf.map((_, node) => node);
    for (const node of all) {
      assert.deepEqual(
        members(flow.upstream([node])),
        all.filter((a) => reaches[a][node]),
      );
      assert.deepEqual(
        members(flow.downstream([node])),
        all.filter((b) => reaches[node][b]),
      );
      const to = below(length);
      const way = flow.shortest([node], [to]);
      assert.equal(way.length > 0, reaches[node][to]);
      const between = new Set(members(intersection(flow.downstream([node]), flow.upstream([to]))));
      way.forEach((each, i) => assert.ok(between.has(each) && (i === 0 || inputsOf[each].includes(way[i - 1]))));
      if (way.length > 0) assert.deepEqual([way[0], way.at(-1)], [node, to]);
    }
  }
});

test("a trace walks over each edge once", () => {
  const next = numbers(3);
  const length = 10_000;
  const { inputEnds, inputs } = columns(
    Array.from({ length }, (_, node) => (node < 2 ? [] : [node - 1, node - 2, next.next().value % node])),
  );
  let reads = 0;
  const counted = new Proxy([...inputs], {
    get: (all, name) => {
      if (/^\d+$/.test(String(name))) reads++;
      return all[name];
    },
  });
  const flow = new NodeFlow({ inputEnds, inputs: counted });
  const found = members(intersection(flow.downstream([0]), flow.upstream([length - 1])));
  assert.equal(found.length, length - 1);
  assert.ok(reads <= 3 * inputs.length, `${reads} reads of ${inputs.length} edges`); // two to turn them, one to walk
});

const trace = (page) => page.locator(".trace > span").textContent();
const fades = (found) => found?.marks.includes("faded");

test("U and D show what is upstream and downstream; the rest fades, the line counts, Escape clears", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "u");
  await until(page, "pool1", fades);
  for (const name of ["image", "conv1/Conv2D", "conv1/BiasAdd", "conv1/relu"])
    assert.ok(has("on")(await box(page, name)), name);
  assert.ok(fades(await box(page, "conv2/Conv2D")));
  assert.equal(await trace(page), "Upstream of conv1/relu: 7 of 309 nodes");
  assert.equal(await status(page), "Upstream of conv1/relu: 7 of 309 nodes");
  assert.equal((await markedEdges(page, "traced")).length, 3);
  await keys(page, "d");
  await until(page, "image", fades);
  assert.ok(has("on")(await box(page, "probabilities")));
  assert.match(await trace(page), /^Downstream of conv1\/relu: \d+ of 309 nodes$/);
  await keys(page, "Escape");
  await until(page, "image", (found) => !fades(found));
  assert.equal(await page.locator(".trace").count(), 0);
  for (const mark of ["faded", "on"]) assert.deepEqual(await marked(page, mark), []);
  assert.deepEqual(await markedEdges(page, "traced"), []);
});

test("a path leads from one node to the one that is selected next, along with arrow keys until Enter", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await shows(page, "conv1/Conv2D");
  await page.getByRole("button", { name: "Path to…" }).click();
  assert.equal(await trace(page), "Path from conv1/Conv2D: select the other node");
  await press(page, "pool1");
  await page.getByText("Between conv1/Conv2D and pool1: 4 of 309 nodes").first().waitFor();
  await until(page, "image", fades);
  assert.ok(has("on")(await box(page, "conv1/BiasAdd")));
  const way = page.locator(".inspector .neighbours").filter({ hasText: "A shortest way" }).getByRole("button");
  assert.deepEqual(
    (await way.allTextContents()).map((text) => text.trim()),
    ["conv1/Conv2D", "conv1/BiasAdd", "conv1/relu", "pool1"],
  );
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  assert.match(await trace(page), /pool1: 4 of/, "the path has both ends");
  await keys(page, "t", "ArrowUp", "ArrowUp", "ArrowUp");
  await page.getByText("Between conv1/relu and image: 4 of 309 nodes").first().waitFor();
  await keys(page, "Enter");
  await shows(page, "image");
  await press(page, "conv1/BiasAdd");
  await shows(page, "conv1/BiasAdd");
  assert.match(await trace(page), /image: 4 of/);
  await page.getByRole("button", { name: "Clear, Esc" }).click();
  await until(page, "pool1", (found) => !fades(found));
});

test("the reason why a node is needed is its way to the outputs; a node that no output needs has none", async (t) => {
  const page = await sampleOf(browser, t);
  await keys(page, "f");
  await press(page, "readout/BiasAdd");
  await shows(page, "readout/BiasAdd");
  await keys(page, "w");
  await page
    .getByText(/^From readout\/BiasAdd to the outputs: \d of 309 nodes$/)
    .first()
    .waitFor();
  await until(page, "conv1/relu", fades);
  await page.getByRole("tab", { name: /^Nodes/ }).click();
  await page.getByLabel("Filter").fill("accuracy/Cast");
  await page
    .getByRole("row", { name: /^accuracy\/Cast / })
    .first()
    .click();
  await page.getByRole("button", { name: "Why needed?" }).click();
  await page.getByText("From accuracy/Cast to the outputs: none of them needs it").first().waitFor();
});

test("a trace starts at a group, from the palette, and ends with the model", async (t) => {
  const page = await sampleOf(browser, t);
  await page.getByRole("treeitem", { name: /^conv2 / }).click();
  await shows(page, "conv2");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("downstream");
  await page.keyboard.press("Enter");
  await page
    .getByText(/^Downstream of conv2\/: \d+ of 309 nodes$/)
    .first()
    .waitFor();
  await until(page, "pool1", fades);
  assert.ok(!fades(await box(page, "conv2/relu")));
  await give(page, { name: "x.pbtxt", mimeType: "", buffer: Buffer.from('node { name: "x" op: "NoOp" }') });
  await page.locator("#model-title").getByText("x.pbtxt").waitFor();
  assert.equal(await page.locator(".trace").count(), 0);
});

test("what a call has in place of it has no trace, and no claim is made about it", async (t) => {
  const page = await browser.page(t);
  await page.locator('input[name="folder"]').setInputFiles(join(data, "saved_models/tables"));
  await calm(page);
  await drawn(page);
  const name = "StatefulPartitionedCall/StatefulPartitionedCall/None_Lookup/LookupTableFindV2";
  await press(page, name);
  await shows(page, name);
  await keys(page, "u");
  assert.equal(await status(page), "Select a node or a scope of this graph first.");
  assert.equal(await page.getByRole("button", { name: "Upstream" }).count(), 0);
  assert.equal(await page.locator(".trace").count(), 0);
});

test("on a telephone the picture comes up with the trace", async (t) => {
  const page = await sampleOf(browser, t, { viewport: { width: 390, height: 844 } });
  await press(page, "conv1/relu");
  await showPane(page, "Inspector");
  await shows(page, "conv1/relu");
  await page.getByRole("button", { name: "Upstream" }).click();
  await page.getByText("Upstream of conv1/relu: 7 of 309 nodes").first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "contents-title");
  await until(page, "pool1", fades);
});
