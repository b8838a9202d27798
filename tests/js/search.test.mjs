// The search of the page's tables and of its palette: words and filters.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { open } from "cryograph";
import { root, sample } from "./support.mjs";

const { outputFiles } = await build({
  stdin: {
    contents: 'export * from "./web/tools/search.js"; export * from "./web/tools/node_search.js";',
    resolveDir: root,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const { isNarrower, matcherOf, nodeFields, termsOf, weightFields } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

const model = await open(join(sample, "model.ckpt.meta"));
const nodes = model.nodes();
const { weights } = model.list("weights");
const step = {
  about: model.inspect(),
  lists: { nodes: { nodes }, weights: { weights }, functions: { functions: [] } },
};
const places = Array.from({ length: nodes.length }, (_, node) => node);

function search(text) {
  const matches = matcherOf(termsOf(text), places, nodeFields(nodes, step, ""), (node) => nodes.name(node));
  return places.filter(matches).map((node) => nodes.name(node));
}

const all = places.map((node) => nodes.name(node));
const ofOp = (...ops) => places.filter((node) => ops.includes(nodes.op(node))).map((node) => nodes.name(node));

test("a search is words and filters; what is still being typed is no term", () => {
  assert.deepEqual(termsOf("  Conv1 op:Conv2D -Adam -op:Const dtype:float16 "), [
    { field: null, value: "conv1", negated: false },
    { field: "op", value: "conv2d", negated: false },
    { field: null, value: "adam", negated: true },
    { field: "op", value: "const", negated: true },
    { field: "type", value: "float16", negated: false },
  ]);
  assert.deepEqual(termsOf("op: - -op:"), []);
  assert.deepEqual(termsOf("Split:1"), [{ field: null, value: "split:1", negated: false }]);
});

test("an op is found by its name or its beginning, and excluded", () => {
  assert.deepEqual(search("op:conv2d"), ofOp("Conv2D"));
  assert.deepEqual(search("op:Conv2D,MatMul"), ofOp("Conv2D", "MatMul"));
  assert.deepEqual(search("op:Const"), ofOp("Const"));
  assert.ok(search("op:Conv").length > search("op:Conv2D").length);
  assert.equal(search("-op:Const").length, all.length - ofOp("Const").length);
  assert.deepEqual(search("op:NoSuchOp"), []);
});

test("a search that is narrower than another finds no other rows", () => {
  const searches = [
    "",
    "c",
    "conv",
    "conv1",
    "conv1 bias",
    "bias",
    "-c",
    "-conv",
    "op:Conv",
    "op:Conv2D",
    "op:Conv2D 1",
  ];
  searches.push("name:conv", "name:conv1", "type:int", "type:int64", "shape:[?,10]", "conv -op:Conv2D");
  const narrower = (one, other) => isNarrower(termsOf(one), termsOf(other));
  for (const one of searches)
    for (const other of searches) {
      if (!narrower(one, other)) continue;
      const found = new Set(search(other));
      for (const name of search(one)) assert.ok(found.has(name), `${one}: ${name}, not of ${other}`);
    }
  assert.ok(narrower("conv1 bias", "conv"));
  assert.ok(narrower("op:Conv2D 1", "op:Conv2D"));
  assert.ok(!narrower("conv", "conv1"));
  assert.ok(!narrower("-conv", "-c"));
  assert.ok(!narrower("op:Conv2D", "op:Conv")); // which may be an op's whole name
});

test("names, scopes and words narrow each other", () => {
  assert.deepEqual(
    search("scope:conv1 -adam op:VariableV2"),
    all.filter((name) => /^conv1\/(weights|biases)$/.test(name)),
  );
  assert.deepEqual(
    search("name:bias"),
    all.filter((name) => /bias/i.test(name)),
  );
  assert.deepEqual(search("scope:conv"), []);
});

test("types and shapes are those of weights, inputs and outputs", () => {
  assert.deepEqual(search("shape:[3,3,8,16] role:trainable"), ["conv2/weights"]);
  assert.deepEqual(search("shape:3x3x*x16 role:trainable"), ["conv2/weights"]);
  assert.deepEqual(search("role:input"), ["image"]);
  assert.ok(search("shape:[?,10]").includes("probabilities"));
  assert.deepEqual(
    search("type:int64 role:variable"),
    weights.filter(({ dtype, source }) => dtype === "int64" && source !== "constant").map(({ node }) => node),
  );
});

test("roles are those of ops and of weights", () => {
  assert.deepEqual(search("role:placeholder"), ofOp("Placeholder", "PlaceholderWithDefault"));
  assert.deepEqual(search("kind:variable"), ofOp("VariableV2"));
  const slots = weights.filter(({ role }) => role === "slot");
  assert.equal(search("role:slot").length, slots.length);
  assert.deepEqual(weights.filter(matcherOf(termsOf("role:slot"), weights, weightFields, ({ name }) => name)), slots);
});

test("a field that a table does not have matches nothing, and is excluded from nothing", () => {
  const find = (text) => weights.filter(matcherOf(termsOf(text), weights, weightFields, ({ name }) => name)).length;
  assert.equal(find("device:gpu"), 0);
  assert.equal(find("-device:gpu"), weights.length);
});
