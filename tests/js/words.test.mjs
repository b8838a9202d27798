// Texts that refer to options, lists and repairs, in the words of the package, of its command, and of the page.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { explain, open } from "cryograph";
import { command, native, root, sample, scratch } from "./support.mjs";

const { apiWords, commandWords, inWords, kFields, kOptionLabels, kVerbs, kWords, pageWords } = await sourcesOf(
  'export * from "./wasm/package/base/words.js"; export * from "./web/words/refer.js";' +
    'export * from "./web/words/references.js"; export * from "./web/tools/fields.js"; export * from "./web/words/words.js";',
);
const { references, options } = JSON.parse(readFileSync(join(root, "core/commands/surface.json"), "utf8"));
const meta = join(sample, "model.ckpt.meta");

async function sourcesOf(contents) {
  const {
    outputFiles: [script],
  } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
  });
  return import(`data:text/javascript;base64,${Buffer.from(script.text).toString("base64")}`);
}

// A reference, and its words on the command line, in JavaScript and in the page.
const kCases = [
  [
    { action: "option", option: "outputs", value: "NAME" },
    "--outputs NAME",
    '{ outputs: ["NAME"] }',
    "“Outputs to keep”",
  ],
  [
    { action: "option", option: "checkpoint", value: "PREFIX" },
    "--checkpoint PREFIX",
    '{ checkpoint: "PREFIX" }',
    null,
  ],
  [
    { action: "option", option: "constants", value: "auto,GLOB" },
    "--constants auto,GLOB",
    '{ constants: "auto,GLOB" }',
    "“Choose constants by name”",
  ],
  [
    { action: "option", option: "foldAssets", value: "" },
    "--fold-assets",
    "foldAssets",
    "“Inline lookup-table assets as constants”",
  ],
  [
    { action: "set", option: "inputs", value: "auto" },
    "--inputs auto",
    '{ inputs: ["auto"] }',
    "“New input tensors”: auto",
  ],
  [{ action: "set", option: "partial", value: "" }, "--partial", "{ partial: true }", "“Write matched variables only”"],
  [{ action: "set", option: "as", value: "pb" }, "--as pb", '{ as: "pb" }', "“Save as”: pb"],
  [
    { action: "list", names: "names", list: "weights" },
    "see the names: cryograph list PATH weights",
    'see the names: model.list("weights")',
    "the names are in the table of weights",
  ],
  [
    { action: "list", names: "placeholders", list: "inputs" },
    "see the placeholders: cryograph list PATH inputs",
    'see the placeholders: model.list("inputs")',
    "the placeholders are in the table of nodes",
  ],
  [
    { action: "run", verb: "freeze", out: "OUT.json" },
    "cryograph freeze PATH -o OUT.json",
    '(await model.freeze()).write({ out: "OUT.json" })',
    `choose “${kVerbs.freeze.label}”`,
  ],
  [
    { action: "run", verb: "weights", out: "OUT.npz" },
    "cryograph weights PATH -o OUT.npz",
    '(await model.weights()).write({ out: "OUT.npz" })',
    `choose “${kVerbs.save.label}”`,
  ],
  [
    { action: "give-files", files: "m.data-00000-of-00001" },
    "put the missing data files next to the index",
    "give open() the missing data files as well",
    "add the missing files, or open their folder",
  ],
];

test("a reference has its words in each host", () => {
  for (const [reference, inCommand, inApi, inPage] of kCases) {
    assert.equal(commandWords(reference), inCommand);
    assert.equal(apiWords(reference), inApi);
    if (inPage !== null) assert.equal(pageWords(reference), inPage);
  }
});

test("every kind of reference has words in each host, of that host alone", () => {
  for (const { action, arguments: names } of references) {
    if (action === "option" || action === "set" || action === "list" || action === "run") continue;
    const reference = { action, ...Object.fromEntries(names.map((name) => [name, "x"])) };
    for (const words of [commandWords(reference), apiWords(reference), pageWords(reference)]) {
      assert.ok(words.trim().length > 0 && !/undefined|\{\w+\}/.test(words), `${action}: ${words}`);
    }
    for (const words of [apiWords(reference), pageWords(reference)]) assert.doesNotMatch(words, /--[a-z]|-o /, action);
    assert.doesNotMatch(pageWords(reference), /open\(|model\.|\{/, action);
  }
});

test("every option that the page names is a field or another control", () => {
  const controls = [kWords.outputsToKeep, kWords.saveAs, kWords.tags, ...kFields.map(({ label }) => label)];
  // The page saves the weights of one model that is whole: messages about several or damaged ones do not come up in it.
  // The page joins no models either.
  const elsewhere = ["average", "salvage", "connect", "scope"];
  for (const [key, label] of Object.entries(kOptionLabels)) {
    assert.equal(controls.includes(label), !elsewhere.includes(key), label);
  }
});

test("every option that the package names is one that its types declare", () => {
  const types = readFileSync(join(root, "wasm/package/types/options.ts"), "utf8");
  for (const { key, api } of options.filter((option) => option.api.length > 0)) {
    assert.match(types, new RegExp(`^ {2}${key}\\?: `, "m"), `${key} of ${api}`);
  }
});

test("a text without references is the same in every host", () => {
  const plain = { message: "it is wrong", fix: "" };
  assert.equal(inWords(plain, apiWords), plain);
});

test("an error is in the words of the API, and has its parts as data", async () => {
  const model = await open(meta);
  const [first] = (await model.prune({ outputs: ["zzzz"] }).catch((error) => error)).diagnostics;
  assert.equal(first.fix, 'see the names: model.list("nodes")');
  assert.deepEqual(first.parts, { fix: [{ action: "list", names: "names", list: "nodes" }] });
  const [unused] = (await model.unfreeze({ exclude: "zzzz" }).catch((error) => error)).diagnostics;
  assert.doesNotMatch(`${unused.message} ${unused.fix}`, /--/);
});

test("a report is in the words of the API, and on the command line in the command's", async (t) => {
  const model = await open(meta);
  const { diagnostics } = (await model.prune()).report;
  const guessed = diagnostics.find(({ code }) => code === "output-guessed");
  if (guessed) assert.equal(guessed.fix, 'name the outputs: { outputs: ["NAME"] }');
  const args = ["prune", meta, "-o", join(scratch(t), "out.pb"), "--outputs", "zzzz", "--json"];
  const [ours, theirs] = [command(args), native(args)].map(({ stdout }) => JSON.parse(stdout).diagnostics);
  assert.deepEqual(ours, theirs);
  assert.equal(ours[0].fix, "see the names: cryograph list PATH nodes");
});

test("an output that exists is overwritten by the host's own option", async (t) => {
  const out = join(scratch(t), "out.pb");
  writeFileSync(out, "mine");
  const model = await open(meta);
  const [file] = await (await model.freeze()).write({ as: "pb" });
  const [first] = (await file.save(out, { force: false }).catch((error) => error)).diagnostics;
  assert.equal(first.fix, "save it without { force: false } to overwrite it");
  assert.match(command(["freeze", meta, "-o", out]).stderr, /give --force to overwrite it/);
});

test("an explanation's fix is in the words of its host", async () => {
  const words = "remove the devices (clearDevices), or run it in that cluster";
  assert.equal((await explain("device-elsewhere")).fix, words);
  assert.match(command(["validate", "--explain", "device-elsewhere"]).stdout, /devices \(--clear-devices\)/);
});
