import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import {
  command,
  commandHost,
  corpus,
  data,
  filesIn,
  fixtures,
  metaFiles,
  native,
  root,
  sample,
  scratch,
} from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");
const carryOut = commandHost();

test("done is 0, no is 1, a wrong command line is 2, could not is 3", async (t) => {
  const folder = scratch(t);
  const broken = join(data, "invalid/unknown_input.pb");
  for (const [status, ...args] of [
    [0, meta],
    [0, "inspect", meta],
    [0, "--help"],
    [0, "freeze", "--help"],
    [0, "--version"],
    [0, "list", meta, "weights"],
    [0, "validate", meta],
    [1, "validate", broken],
    [0, "validate", "--explain", "cycle"],
    [2, "validate", "--explain", "cycles-and-such"],
    [2, "validate"],
    [2, "validate", meta, "--fix"],
    [2, "validate", meta, "-o", join(folder, "x.pb")],
    [2],
    [2, "inspect"],
    [0, "inspect", meta, meta],
    [1, "validate", meta, broken],
    [3, "validate", broken, join(folder, "nothing.pb"), meta],
    [2, "diff", meta, meta, meta],
    [0, "-V"],
    [0, "help", "freeze"],
    [2, "help", "frezze"],
    [0, "completion", "fish"],
    [2, "completion", "ksh"],
    [2, "freeze", meta, "-o", "-"],
    [2, "freeze", meta, "-o", "-", "--as", "pb", "--json"],
    [2, "freeze", meta, "-o", "-", "--as", "savedmodel"],
    [2, "list", meta],
    [2, "list", meta, "elephants"],
    [2, "freeze", meta],
    [2, "inspect", meta, "--no-such-option"],
    [2, "inspect", meta, "-o", join(folder, "x.pb")],
    [3, "inspect", join(folder, "nothing.pb")],
    [3, "prune", meta, "--outputs", "no/such/node", "-o", join(folder, "x.pb")],
  ]) {
    const { status: found, stdout, stderr } = await carryOut(args);
    assert.equal(found, status, `${args.join(" ")}: ${stdout}${stderr}`);
    const theirs = native(args);
    assert.equal(theirs.status, status, `native ${args.join(" ")}: ${theirs.stdout}${theirs.stderr}`);
  }
  assert.deepEqual(readdirSync(folder), []);
  const statuses = [["inspect", meta], ["validate", broken], ["validate"], ["inspect", "nothing.pb"]];
  assert.deepEqual(
    statuses.map((args) => command(args).status), // of the process
    [0, 1, 2, 3],
  );
});

test("validate --fix reports and writes what the native program does", (t) => {
  const [mine, theirs] = [scratch(t), scratch(t)];
  const args = ["validate", join(data, "invalid/colocation_unknown.pb"), "--fix", "--json", "-o"];
  const [one, other] = [command([...args, join(mine, "o.pb")]), native([...args, join(theirs, "o.pb")])];
  assert.equal(one.status, 0, one.stderr);
  assert.equal(one.stdout.replaceAll(mine, ""), other.stdout.replaceAll(theirs, ""));
  assert.equal(JSON.parse(one.stdout).repaired.length, 1);
  assert.deepEqual(filesIn(mine), filesIn(theirs));
});

test("validate --explain says what the native program says", () => {
  for (const more of [[], ["--json"]]) {
    const args = ["validate", "--explain", "attr-missing", ...more];
    assert.equal(command(args).stdout, native(args).stdout);
  }
});

test("--json is one object on standard output, also for a failure", (t) => {
  for (const args of [
    [meta],
    ["freeze", meta, "-o", join(scratch(t), "f.pb")],
    ["inspect", "/no/such"],
    ["inspect", "--nope"],
  ]) {
    const { stdout, stderr } = command([...args, "--json"]);
    assert.ok(Array.isArray(JSON.parse(stdout).diagnostics), stdout);
    assert.equal(stderr, "");
  }
});

test("an existing file is refused without --force and unchanged", (t) => {
  const out = join(scratch(t), "out.pb");
  writeFileSync(out, "mine");
  assert.equal(command(["freeze", meta, "-o", out]).status, 3);
  assert.equal(readFileSync(out, "utf8"), "mine");
  assert.equal(command(["freeze", meta, "-o", out, "--force"]).status, 0);
  assert.notEqual(readFileSync(out, "utf8"), "mine");
});

test("a checkpoint may be pruned onto itself", (t) => {
  const [folder, elsewhere] = [scratch(t), scratch(t)];
  for (const name of readdirSync(sample))
    if (name.startsWith("model")) copyFileSync(join(sample, name), join(folder, name));
  assert.equal(command(["prune", meta, "-o", join(elsewhere, "model.ckpt")]).status, 0);
  const { status, stderr } = command([
    "prune",
    join(folder, "model.ckpt.meta"),
    "-o",
    join(folder, "model.ckpt"),
    "--force",
  ]);
  assert.equal(status, 0, stderr);
  assert.deepEqual(filesIn(folder), filesIn(elsewhere));
});

test("standard input is a model too", (t) => {
  const out = join(scratch(t), "f.pb");
  assert.equal(command(["freeze", meta, "-o", out]).status, 0);
  const { status, stdout } = command(["inspect", "-", "--json"], { input: readFileSync(out) });
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).kind, "graph-def");
});

test("a reader that leaves early is no error", () => {
  const { stderr } = command(["list", meta, "nodes", "--verbose", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1,
  });
  assert.doesNotMatch(stderr, /EPIPE/);
});

test("the command runs through a link, as npm installs it", (t) => {
  const link = join(scratch(t), "cryograph");
  symlinkSync(join(import.meta.dirname, "../../dist/cli.js"), link);
  const { status, stderr } = spawnSync(link, ["--version"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});

// Expects that both command lines do the same with a model, in every report and every byte.
async function agree(args, [mine, theirs] = [root, root]) {
  const ours = await carryOut(args, { cwd: mine });
  const other = native(args, { cwd: theirs });
  assert.equal(ours.stdout, other.stdout, args.join(" "));
  assert.equal(ours.stderr, other.stderr, args.join(" "));
  assert.equal(ours.status, other.status, args.join(" "));
  return ours.status;
}

async function compare(t, path) {
  await agree(["inspect", path, "--json"]);
  await agree(["validate", path, "--json"]);
  const folders = [scratch(t), scratch(t)];
  await agree(["prune", path, "-o", "pruned.ckpt", "--json"], folders);
  if ((await agree(["freeze", path, "-o", "frozen.pb", "--json"], folders)) === 0) {
    await agree(["unfreeze", "frozen.pb", "-o", "thawed.ckpt", "--json"], folders);
  }
  assert.deepEqual(filesIn(folders[0]), filesIn(folders[1]));
}

test("the native program and the npm command print the same", async (t) => {
  for (const path of [sample, meta, join(sample, "model.ckpt"), join(data, "invalid/unknown_input.pb"), "nothing.pb"]) {
    for (const verb of ["inspect", "validate"])
      for (const more of [[], ["--verbose"], ["--quiet"]]) await agree([verb, path, ...more]);
  }
  for (const what of ["nodes", "ops", "weights", "inputs", "outputs", "functions"]) await agree(["list", meta, what]);
  const folders = [scratch(t), scratch(t)];
  await agree(["freeze", meta, "-o", "frozen.pb"], folders);
  await agree(["freeze", meta, "-o", "frozen.pb"], folders);
  await agree(["freeze", meta, "-o", "no/such/folder/frozen.pb"], folders);
  await agree(["freeze", meta, "-o", "frozen.elephant"], folders);
  for (const args of [["--version"], ["-V"], ["--help"], ["help"], ["help", "freeze"], []]) await agree(args);
  for (const shell of ["bash", "zsh", "fish"]) await agree(["completion", shell]);
  const several = [meta, join(data, "invalid/cycle.pb"), "nothing.pb"];
  for (const more of [[], ["--json"], ["--format", "github"], ["--color", "always"], ["--format=github", "--quiet"]])
    for (const verb of ["inspect", "validate"]) await agree([verb, ...several, ...more]);
  const { stdout } = native(["--help"]);
  const verbs = stdout.match(/^ {2}[a-z]+/gm).map((line) => line.trim());
  assert.ok(verbs.length > 10);
  for (const verb of verbs) await agree([verb, "--help"]);
});

test("-o - prints the file that -o NAME writes, and the report to standard error", async (t) => {
  const out = join(scratch(t), "f.pb");
  assert.equal(command(["freeze", meta, "-o", out]).status, 0);
  for (const run of [command, native]) {
    const { status, stdout, stderr } = run(["freeze", meta, "-o", "-", "--as", "pb"], { encoding: "buffer" });
    assert.equal(status, 0, String(stderr));
    assert.deepEqual(stdout, readFileSync(out));
    assert.match(String(stderr), /^nodes {7}309 -> 34$/m);
  }
  await agree(["freeze", meta, "-o", "-", "--as", "checkpoint"]);
  await agree(["freeze", meta, "-o", "-"]);
});

test("-o - prints nothing of a damaged file", async (t) => {
  const folder = scratch(t);
  const header = "{'descr': '|u1', 'fortran_order': False, 'shape': (8388608,), }".padEnd(117);
  const start = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, "latin1");
  writeFileSync(join(folder, "w.npy"), Buffer.concat([start, Buffer.alloc(1 << 23)]));
  const prefix = join(folder, "w.ckpt");
  assert.equal(native(["weights", join(folder, "w.npy"), "-o", prefix]).status, 0);
  const data = readFileSync(`${prefix}.data-00000-of-00001`);
  data[data.length - 1] ^= 1;
  writeFileSync(`${prefix}.data-00000-of-00001`, data);
  const { stdout, stderr } = command(["weights", prefix, "-o", "-", "--as", "safetensors"]);
  assert.equal(stdout, "");
  assert.match(stderr, /\[checksum\]/);
  assert.equal(await agree(["weights", prefix, "-o", "-", "--as", "safetensors"]), 3);
});

test("--snippet: both print the lines that load the result", async (t) => {
  const folders = [scratch(t), scratch(t)];
  for (const [verb, out, ...more] of [
    ["freeze", "f.pb", "--outputs", "logits,probabilities"],
    ["freeze", "f.json"],
    ["freeze", "s/"],
    ["prune", "p.ckpt.zip"],
    ["weights", "w.npz"],
  ])
    for (const json of [[], ["--json"]])
      assert.equal(await agree([verb, meta, "-o", out, "--snippet", "--force", ...more, ...json], folders), 0);
  const { stdout } = command(["freeze", meta, "-o", "f.pb", "--force", "--snippet", "--outputs", "logits"], {
    cwd: folders[0],
  });
  assert.match(stdout, /^ {8}outputs = session\.run\(\["logits:0"\], inputs\)$/m);
  const args = ["freeze", meta, "-o", "-", "--as", "pb", "--snippet"]; // a file on standard output: of a process alone
  for (const what of ["status", "stdout", "stderr"]) assert.equal(command(args)[what], native(args)[what]);
});

test("of a wrong command line both say the same", async () => {
  for (const args of [
    ["inspect"],
    ["frezze"],
    ["frezze", meta],
    ["help", "frezze"],
    ["completion", "ksh"],
    ["diff", meta, meta, meta],
    ["inspect", meta, "--color", "op"],
    ["inspect", meta, "--no-such-option"],
    ["inspect", meta, "--jsn"],
    ["inspect", meta, "-o", "x.pb"],
    ["list", meta],
    ["list", meta, "elephants"],
    ["freeze", meta],
    ["freeze", meta, "-o"],
    ["freeze", meta, "-o", "--force"],
    ["freeze", meta, "-o", "x.pb", "--force=yes"],
    ["freeze", meta, "-ox.elephant"],
    ["freeze", meta, "-o=x.elephant"],
    ["diff", meta],
    ["transfer", "--from", meta, "-o", "x.ckpt"],
    ["validate"],
    ["validate", meta, "--fix"],
    ["validate", "--explain", "cycles"],
    ["freeze", meta, "-o", "x.pb", "--variables", "/a[/"],
    ["freeze", meta, "-o", "x.json", "--shard-size", "many"],
    ["--", "--json"],
    ["verify", meta, meta, "--seed", "x"],
    ["freeze", meta, "-o", "x.pb", "--as", "elephant"],
    ["-x"],
    ["freeze", "--json=1"],
  ])
    for (const more of [[], ["--json"], ["--quiet"]])
      assert.notEqual(await agree([...args, ...more]), 0, args.join(" "));
});

for (const [name, { path }] of Object.entries(fixtures)) {
  test(`${name}: the native program and the npm command agree, byte for byte`, (t) => compare(t, join(data, path)));
}

const models = existsSync(corpus) ? ["ckpt_v2", "freeze_pairs"].flatMap((kind) => metaFiles(join(corpus, kind))) : [];
if (models.length === 0) test("the corpus", { skip: "NOT RUN: there is no corpus at ../shared/corpus" }, () => {});
for (const path of models) {
  test(`${relative(corpus, path)}: the native program and the npm command agree`, (t) => compare(t, path));
}
