// Each option that a tool of the page has a control for: what is set there gives the call the options that the command line reads.
// One of each tool is carried out, and gives the native program's files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { corePlugin } from "../../scripts/bundle_core.mjs";
import { calm, downloadAll, give, perform, prepare, root, take } from "./browser.mjs";
import { checkpointFiles, data, native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");
const kMeta = join(sample, "model.ckpt.meta");

// `tried`: the option that is carried out.
const kTools = {
  freeze: { label: "Freeze", model: kMeta, out: "model.frozen.pb", tried: "stripDefaults" },
  prune: { label: "Prune", model: kMeta, out: "model.pruned.pb", tried: "inputs" },
  unfreeze: { label: "Un-freeze", model: kGraph, out: "graph.ckpt", tried: "style" },
  edit: { label: "Edit", model: kGraph, out: "graph.edited.pb", tried: "batch" },
  transfer: { label: "Transfer", model: kMeta, out: "model.transferred.ckpt", tried: "match" },
  save: { label: "Save as", model: kMeta, out: "model.weights.ckpt", tried: "noSlots" },
};
const kVerbs = { save: "weights" }; // of other names than their tools
const kOthers = { validate: { label: "Validate", model: kGraph }, diff: { label: "Compare", model: kGraph } };

// Typed or chosen values; for one tool alone under "tool key". Flags need none.
const kValues = {
  inputs: "pool1:0",
  function: "__call__",
  set: "is_training=false",
  variables: "readout/**",
  keepVariables: "readout/**, conv1/**",
  for: "tensorflow-1.4",
  rename: "**=**",
  cast: "float32=float16",
  constants: "conv/weights",
  exclude: "readout/**",
  match: "shape",
  style: "ref",
  placeholder: "x=float32[1,8,8,1]",
  batch: "2",
  constant: "mul/y=3",
  shardSize: "300",
  addSignature: "score=x->p=y",
  "edit rename": "dense/**=last/**",
};

const { options } = JSON.parse(readFileSync(join(root, "core/commands/surface.json"), "utf8"));
const controls = options.filter(({ page }) => page?.tools);

const valueOf = (tool, { key, type }) => (type === "flag" ? "" : (kValues[`${tool} ${key}`] ?? kValues[key]));
const ownOf = (tool) => controls.filter(({ page: { tools } }) => tools.includes(tool));

const { optionsOf, loadCommand } = await sources();

async function sources() {
  const { outputFiles } = await build({
    stdin: {
      contents: 'export * from "./web/tools/options.js"; export * from "./wasm/package/command/command_binding.js";',
      resolveDir: root,
    },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    write: false,
    define: {
      CRYOGRAPH_CHECKS: "true",
      "import.meta.url": JSON.stringify(pathToFileURL(join(root, "dist/cli.js")).href),
    },
    plugins: [corePlugin(root, join(root, "build/wasm/wasm"))],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

// The options of a control, as the page gives them to a call.
function optionsOfPage(tool, option) {
  const { key, type } = option;
  const choice = {
    outputs: new Set(),
    texts: type === "flag" ? {} : { [key]: valueOf(tool, option) },
    flags: new Set(type === "flag" ? [key] : []),
    excluded: new Set(),
    added: new Set(),
    renamed: {},
    together: new Set(),
    fed: { ours: {}, theirs: {} },
  };
  return optionsOf(tool, { about: { outputs: [], signatures: {} }, choice });
}

// The same of a command line.
function optionsOfLine(command, tool, { name, type, ...option }) {
  const words = type === "flag" ? [name] : [name, valueOf(tool, { type, ...option })];
  const paths = tool === "transfer" ? ["--from", "m", "--into", "m"] : tool === "diff" ? ["m", "m"] : ["m"];
  const out = tool in kOthers ? [] : ["-o", "out.ckpt"];
  const { line, report } = JSON.parse(command.commandLine([kVerbs[tool] ?? tool, ...paths, ...words, ...out]));
  assert.ok(line, JSON.stringify(report));
  return Object.fromEntries(Object.entries(line.options).filter(([key]) => key !== "out"));
}

// A list may be one text.
const asText = (options) => Object.entries(options).map(([key, value]) => [key, String(value).replaceAll(", ", ",")]);

test("what is set in each control is the option that the command line reads", async () => {
  const command = await loadCommand();
  let compared = 0;
  for (const tool of Object.keys({ ...kTools, ...kOthers }))
    for (const option of ownOf(tool)) {
      const ours = optionsOfPage(tool, option);
      assert.deepEqual(Object.keys(ours), [option.key]);
      assert.deepEqual(asText(ours), asText(optionsOfLine(command, tool, option)), `${tool} ${option.key}`);
      compared++;
    }
  assert.ok(compared > 50, `${compared} controls`);
});

async function open(page, { label }, model) {
  const files = model === kGraph ? kGraph : checkpointFiles(join(model, ".."), "model.ckpt");
  await give(page, files);
  await calm(page);
  await take(page, label);
  if (label !== "Transfer") return;
  await page.locator('input[name="other"]').setInputFiles(files);
  await page.locator(".other code").waitFor();
}

// Sets the option's control as a person does.
async function set(page, { type, page: control }, value) {
  const field = page.locator("#tool-panel").getByLabel(control.label, { exact: true });
  if (type === "flag") await field.check();
  else if (control.choices) await field.selectOption(value);
  else await field.fill(value);
}

// In the page: sets each control and clears it again. Returns what is wrong. `all`: labels and values; of a flag "".
function setAndClear(all) {
  const labels = [...document.querySelectorAll("#tool-panel label")];
  const change = (control, value) => {
    if (control.type === "checkbox") control.checked = value !== "";
    else control.value = value;
    control.dispatchEvent(new Event(control.type === "text" ? "input" : "change", { bubbles: true }));
  };
  const read = (control) => (control.type === "checkbox" ? (control.checked ? "set" : "") : control.value);
  return all.flatMap(({ label, value }) => {
    const control = labels.find((each) => each.textContent.trim() === label)?.control;
    if (!control) return [`no control: ${label}`];
    const found = [read(control)];
    for (const each of [value || "set", ""]) {
      change(control, each);
      found.push(read(control));
    }
    const [before, set, after] = found;
    return before === "" && set === (value || "set") && after === "" ? [] : [`${label}: ${found.join()}`];
  });
}

function nativeFile(t, tool, option, { model, out }) {
  const given = option.type === "flag" ? [option.name] : [option.name, valueOf(tool, option)];
  const outputs = tool === "freeze" || tool === "prune" ? ["--outputs", "probabilities"] : [];
  const path = tool === "transfer" ? ["--from", model, "--into", model] : model;
  return native(t, kVerbs[tool] ?? tool, path, out, ...outputs, ...given);
}

for (const [tool, about] of Object.entries({ ...kTools, ...kOthers }))
  test(`${about.label}: each option has a control that keeps what is set; one gives the native program's files`, async (t) => {
    const page = await browser.page(t);
    await open(page, about, about.model);
    const all = ownOf(tool).map((option) => ({ label: option.page.label, value: valueOf(tool, option) }));
    assert.deepEqual(await page.evaluate(setAndClear, all), []);
    if (!about.tried) return;
    const option = ownOf(tool).find(({ key }) => key === about.tried);
    await set(page, option, valueOf(tool, option));
    await (tool === "save" ? prepare(page, "weights") : perform(page, about.label));
    const written = nativeFile(t, tool, option, about);
    const ours = Object.entries(await downloadAll(page)).filter(([name]) => name in written);
    same(Object.fromEntries(ours), written);
  });

test("no other tool has options", () => {
  const known = Object.keys({ ...kTools, ...kOthers });
  assert.deepEqual([...new Set(controls.flatMap(({ page }) => page.tools))].sort(), known.sort());
});
