// The core in two parts, as the page has it (scripts/split_core.py): the first opens and shows every model, and with the rest both
// do what the whole one does.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import * as whole from "cryograph";
import { corePlugin, kOps } from "../../scripts/bundle_core.mjs";
import * as releases from "../../dist/releases.js";
import { corpus, data, root, sample } from "./support.mjs";

const kCore = join(root, "build/wasm/wasm");
const kLists = ["nodes", "ops", "weights", "inputs", "outputs", "signatures", "functions", "assets", "collections"];

const { CoreLoader, nodeHost, packageOver, unpackedReleases } = await sources();

async function sources() {
  const exported = ["core/core", "core/releases", "host/host", "host/host_node"].map((name) => `wasm/package/${name}`);
  const contents = exported.map((name) => `export * from "./${name}.js";`);
  const {
    outputFiles: [script],
  } = await build({
    stdin: { contents: contents.join(""), resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    write: false,
    define: { CRYOGRAPH_VERSION: '"0"', CRYOGRAPH_CHECKS: "true", "import.meta.url": '"file:///"' },
    plugins: [corePlugin(root, kCore, { releases: join(root, "dist/releases.js") })],
  });
  return import(`data:text/javascript;base64,${Buffer.from(script.text).toString("base64")}`);
}

// The package over the first part; `findRest` is given what reads the rest.
function packageOverParts(findRest) {
  const read = (name) => readFileSync(join(kCore, name));
  const loader = new CoreLoader(
    async () => read("core.first.wasm"),
    async () => readFileSync(join(root, kOps)),
    async () => unpackedReleases(releases, (text) => gunzipSync(Buffer.from(text, "base64"))),
    () => findRest(() => read("core.rest.wasm")),
  );
  return packageOver({ ...nodeHost, loader });
}

// The outcomes of all calls that the page makes to show a model, by name: what they return, or why not.
async function shown({ open }, path) {
  const outcomes = {};
  const of = async (name, call) => {
    outcomes[name] = await Promise.resolve()
      .then(call)
      .catch(({ name: type, code, message }) => ({ type, code, message }));
  };
  let model;
  await of("open", async () => ((model = await open(path)), null));
  if (!model) return outcomes;
  await of("inspect", () => model.inspect());
  for (const what of kLists) await of(what, () => model.list(what));
  await of("columns", () => model.nodes().columns());
  for (const { name } of outcomes.nodes.nodes?.slice(0, 3) ?? []) await of(`node ${name}`, () => model.node(name));
  await of("validate", () => model.validate());
  await of("repair", async () => (await model.repair()).report);
  for (const options of [
    {},
    { depth: 2, raw: true },
    { color: "dtype", function: outcomes.functions.functions?.[0]?.name },
  ]) {
    await of(`picture ${JSON.stringify(options)}`, async () => drawn(await model.picture(options)));
  }
  for (const { name } of outcomes.weights.weights?.slice(0, 2) ?? []) {
    await of(`weight ${name}`, () => model.weight(name, { first: 0, count: 2 }));
    await of(`statistics ${name}`, () => model.statistics(name));
  }
  model.close();
  return outcomes;
}

const drawn = (picture) => [picture.toJSON(), picture.svg()];

// Folders and files that may be models: those of SavedModels and checkpoints are found by their folder.
function modelsIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const files = paths.filter((path) => /\.(meta|pb|pbtxt|index|json|npz|zip)$/.test(path) && statSync(path).isFile());
  return files.map((path) => (path.endsWith("saved_model.pb") ? dirname(path) : path)).sort();
}

// Returns the models that have an op which none before has.
async function withNewOps(paths, seen) {
  const chosen = [];
  for (const path of paths) {
    const model = await whole.open(path).catch(() => null);
    const ops = Object.keys(model?.inspect().ops ?? {}).filter((op) => !seen.has(op));
    model?.close();
    for (const op of ops) seen.add(op);
    if (ops.length > 0) chosen.push(path);
  }
  return chosen;
}

test("what opens and shows models is in the first part, and answers as the whole core does", async (t) => {
  const parts = packageOverParts(() => assert.fail("the rest was asked for"));
  if (!existsSync(corpus)) t.diagnostic("NOT RUN over the corpus: there is none at ../shared/corpus");
  const ours = [data, sample].flatMap(modelsIn);
  const seen = new Set();
  await withNewOps(ours, seen);
  const others = existsSync(corpus) ? await withNewOps(modelsIn(corpus), seen) : [];
  let opened = 0;
  for (const path of [...ours, ...others]) {
    const [first, same] = [await shown(parts, path), await shown(whole, path)];
    assert.deepEqual(first, same, relative(root, path));
    opened += first.open === null;
  }
  t.diagnostic(`${opened} models with ${seen.size} ops`);
  assert.ok(opened > 50);
});

// Calls that need the rest.
const kOthers = {
  prune: (model) => written(model.prune({ outputs: ["y"] })),
  freeze: (model) => written(model.freeze({ outputs: ["y"] })),
  "freeze for a release": (model) => written(model.freeze({ outputs: ["y"], for: "tensorflow-1.4" })),
  edit: (model) => written(model.edit({ rename: ["y=z"] })),
  convert: (model) => written(model.convert({ as: "pbtxt" })),
  write: async (model) => filesOf(await model.write({ as: "pb" })),
  diff: (model, other) => model.diff(other),
  transfer: (model, other) => written(model.transfer({ from: other })),
  weights: (model) => written(model.weights(), "npz"),
  compat: (model) => model.compat(),
  "picture of a part": async (model) => drawn(await model.picture({ outputs: ["y"] })),
  "picture of a difference": async (model, other) => drawn(await model.picture({ against: other })),
};

async function written(making, as = "pb") {
  const model = await making;
  return [model.report, await filesOf(await model.write({ as }))];
}

async function filesOf(files) {
  return [files.report, await Promise.all(files.map(async (file) => [file.path, Buffer.from(await file.bytes())]))];
}

const kModels = ["ref", "resource"].map((name) => join(data, name, "model.ckpt.meta"));

async function called({ open }, call) {
  const [model, other] = await Promise.all(kModels.map((path) => open(path)));
  return call(model, other);
}

for (const [name, call] of Object.entries(kOthers)) {
  test(`with the rest, which it asks for once, it is the same: ${name}`, async () => {
    let asked = 0;
    const parts = packageOverParts(async (rest) => (asked++, rest()));
    assert.deepEqual(await called(parts, call), await called(whole, call));
    await called(parts, kOthers.freeze);
    assert.equal(asked, 1);
  });
}

test("calls that run at once ask for the rest once", async () => {
  let asked = 0;
  const parts = packageOverParts(async (rest) => (asked++, rest()));
  const model = await parts.open(kModels[0]);
  await Promise.all([model.freeze({ outputs: ["y"] }), model.prune({ outputs: ["y"] }), model.compat()]);
  assert.equal(asked, 1);
});

test("without the rest, a call that needs it fails, and the model stays open", async () => {
  const parts = packageOverParts(async () => {
    throw new Error("no network");
  });
  const model = await parts.open(kModels[0]);
  await assert.rejects(model.freeze({ outputs: ["y"] }), { code: "core-not-loaded", message: /no network/ });
  assert.equal(model.inspect().kind, "meta-graph");
});
