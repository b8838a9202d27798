// Each option that a tool of the page has a control for: the control gives it to the tool, whose files are then those that
// the native program writes with it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, downloadAll, give, perform, prepare, root, take } from "./browser.mjs";
import { checkpointFiles, data, native, same, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGraph = join(data, "frozen_convnet/graph.pb");
const kMeta = join(sample, "model.ckpt.meta");
const kWithSwitch = join(data, "training_if/model.ckpt.meta");

const kTools = {
  freeze: { label: "Freeze", model: kMeta, outs: ["model.frozen.pb"] },
  prune: { label: "Prune", model: kMeta, outs: ["model.pruned.ckpt", "model.pruned.pb"] },
  unfreeze: { label: "Un-freeze", model: kGraph, outs: ["graph.ckpt"] },
  edit: { label: "Edit", model: kGraph, outs: ["graph.edited.pb"] },
  transfer: { label: "Transfer", model: kMeta, outs: ["model.transferred.ckpt"] },
  save: { label: "Save as", model: kMeta, outs: ["model.weights.ckpt"] },
};
// Validate and Compare write no files.
const kWithoutFiles = ["validate", "diff"];

// Typed or chosen values; for one tool alone under "tool key". Flags need none.
const kValues = {
  inputs: "pool1:0",
  set: "is_training=false",
  variables: "readout/**",
  keepVariables: "readout/**",
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
  "unfreeze exclude": "dense/**",
  "unfreeze rename": "dense/**=last/**",
  "edit rename": "dense/**=last/**",
};
const kModels = { set: kWithSwitch, inference: kWithSwitch };
const kOutputs = { [kMeta]: "probabilities", [kWithSwitch]: "y" };
const kOuts = { "freeze variables": ["model.frozen.ckpt"], "freeze keepVariables": ["model.frozen.ckpt"] };
// The sample has no averages, and its types are equal; of several outputs one is written; many files, or a folder, are made.
const kElsewhere = ["freeze ema", "transfer cast", "prune likeTensorflow", "save shardSize", "edit addSignature"];

const { options } = JSON.parse(readFileSync(join(root, "core/commands/surface.json"), "utf8"));
const controls = options.filter(({ page }) => page?.tools);

async function open(page, { label }, model) {
  const files = model === kGraph ? kGraph : checkpointFiles(join(model, ".."), "model.ckpt");
  const tabs = page.locator(".model-tab");
  const before = await tabs.count();
  await give(page, files);
  // Until then the page shows the model before, which may be calm.
  await tabs.nth(before).waitFor({ state: "attached" });
  await calm(page);
  await take(page, label);
  if (label !== "Transfer") return;
  await page.locator('input[name="other"]').setInputFiles(files);
  await page.locator(".other code").waitFor();
}

// Sets the option's control; "": as it was.
async function set(page, { type, page: control }, value) {
  const field = page.locator("#tool-panel").getByLabel(control.label, { exact: true });
  if (type === "flag") await field.setChecked(value !== "");
  else if (control.choices) await field.selectOption(value);
  else await field.fill(value);
}

function nativeFiles(t, tool, option, model, value) {
  const given = option.type === "flag" ? [option.name] : [option.name, value];
  const outputs = tool === "freeze" || tool === "prune" ? ["--outputs", kOutputs[model]] : [];
  const verb = tool === "save" ? "weights" : tool;
  const path = tool === "transfer" ? ["--from", model, "--into", model] : model;
  const outs = kOuts[`${tool} ${option.key}`] ?? kTools[tool].outs;
  return Object.assign({}, ...outs.map((out) => native(t, verb, path, out, ...outputs, ...given)));
}

for (const [tool, about] of Object.entries(kTools))
  test(`${about.label}: each option gives the native program's files`, async (t) => {
    const page = await browser.page(t);
    const own = controls.filter(
      ({ key, page: { tools } }) => tools.includes(tool) && !kElsewhere.includes(`${tool} ${key}`),
    );
    const modelOf = ({ key }) => kModels[key] ?? about.model;
    let opened = "";
    for (const option of own.toSorted((a, b) => (modelOf(a) < modelOf(b) ? -1 : 1))) {
      const model = modelOf(option);
      const value = option.type === "flag" ? "set" : (kValues[`${tool} ${option.key}`] ?? kValues[option.key]);
      if (model !== opened) await open(page, about, model);
      opened = model;
      await set(page, option, value);
      await (tool === "save" ? prepare(page, "weights") : perform(page, about.label));
      same(await downloadAll(page), nativeFiles(t, tool, option, model, value));
      if (tool !== "save") await page.getByRole("button", { name: "Undo" }).click();
      await take(page, about.label);
      await set(page, option, "");
    }
  });

test("no other tool has options of files", () => {
  const known = [...Object.keys(kTools), ...kWithoutFiles];
  assert.deepEqual([...new Set(controls.flatMap(({ page }) => page.tools))].sort(), known.sort());
});
