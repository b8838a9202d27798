// The packed package in projects as people have them. Each gives the bytes of the frozen sample, which are those of the command here.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { command, root, sample } from "../js/support.mjs";
import { inBrowser, pack, project, run, tool, tools } from "./projects.mjs";

const packed = pack();
const frozen = join(tools, "frozen.pb");
assert.equal(command(["freeze", join(sample, "model.ckpt.meta"), "--outputs", "probabilities", "-o", frozen, "--force"]).status, 0);
const expected = readFileSync(frozen);

function check(results, count) {
  assert.equal(results.length, count);
  for (const bytes of results) assert.ok(expected.equals(Buffer.from(bytes)), "other bytes");
}

// The goal is 1 MB, which core.wasm (530 kB) and inline.js (425 kB) alone nearly are; this is the ratchet. 120 kB are TensorFlow.js, of the page.
const kMostPacked = 1600e3;

test("what is packed is what runs, with its licences, and does not grow unnoticed", (t) => {
  const paths = packed.files.map(({ path }) => path);
  for (const path of ["LICENSE", "THIRD-PARTY-NOTICES.md", "README.md", "CHANGELOG.md", "package.json"]) assert.ok(paths.includes(path), path);
  assert.deepEqual(paths.filter((path) => path.includes("/") && !path.startsWith("dist/")), []);
  t.diagnostic(`${packed.size} bytes packed, ${packed.unpackedSize} unpacked, ${paths.length} files`);
  assert.ok(packed.size <= kMostPacked, `${packed.size} bytes`);
});

test("publint finds nothing", () => {
  const said = run(tool("publint"), ["run", packed.path, "--strict"]);
  assert.match(said, /All good/);
});

test("the types are right however modules are resolved", () => {
  run(tool("attw"), [packed.path, "--profile", "esm-only", "--exclude-entrypoints", "./core.wasm", "./cli"]);
});

test("Node: ES modules, require(), and the command", () => {
  const folder = project("node", packed.path);
  const model = join(folder, "sample/model.ckpt");
  check(JSON.parse(run(process.execPath, ["main.mjs", model], { cwd: folder })), 3);
  check(JSON.parse(run(process.execPath, ["main.cjs", model], { cwd: folder })), 2);
  run("npx", ["--offline", "cryograph", "freeze", model, "--outputs", "probabilities", "-o", "frozen.pb"], { cwd: folder });
  check([readFileSync(join(folder, "frozen.pb"))], 1);
});

for (const [module, moduleResolution, files] of [
  ["nodenext", "nodenext", ["main.mts", "main.cts"]], ["node16", "node16", ["main.mts"]], ["esnext", "bundler", ["main.mts"]]]) {
  test(`TypeScript with module resolution ${moduleResolution}`, () => {
    const folder = project("types", packed.path);
    const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022", types: [], module, moduleResolution,
      lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    run(tool("tsc"), ["-p", folder]);
  });
}

test("Vite", async () => {
  const folder = project("vite", packed.path);
  run(tool("vite"), ["build", "--logLevel", "error"], { cwd: folder });
  cpSync(join(folder, "sample"), join(folder, "dist/sample"), { recursive: true });
  check(await inBrowser(join(folder, "dist")), 2);
});

test("webpack", async () => {
  const folder = project("webpack", packed.path);
  run(tool("webpack"), [], { cwd: folder });
  check(await inBrowser(folder), 2);
});

test("esbuild", async () => {
  const folder = project("esbuild", packed.path);
  run(tool("esbuild"), ["main.js", "--bundle", "--format=esm", "--outdir=dist", "--loader:.wasm=file", "--public-path=/dist",
    "--log-level=error"], { cwd: folder });
  check(await inBrowser(folder), 1);
});

test("Next", async () => {
  const folder = project("next", packed.path);
  run(tool("next"), ["build"], { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1" } });
  cpSync(join(folder, "sample"), join(folder, "out/sample"), { recursive: true });
  check(await inBrowser(join(folder, "out")), 1);
});

test("Deno", () => {
  const folder = project("deno", packed.path);
  const said = run(tool("deno"), ["run", "-A", "--no-remote", "--node-modules-dir=manual", "main.mjs", join(folder, "sample/model.ckpt")],
    { cwd: folder, env: { ...process.env, DENO_DIR: join(tools, "deno-cache"), DENO_NO_UPDATE_CHECK: "1" } });
  check(JSON.parse(said), 1);
});

test("a plain script of type module", async () => {
  check(await inBrowser(project("script", packed.path)), 3);
});

test("inline, in a page that is a file", async () => {
  const folder = project("inline", packed.path);
  const binary = [".meta", ".index", ".data-00000-of-00001"].map((ending) => `--loader:${ending}=binary`);
  run(tool("esbuild"), ["main.js", "--bundle", "--format=iife", "--outdir=dist", "--log-level=error", ...binary], { cwd: folder });
  check(await inBrowser(folder, pathToFileURL(join(folder, "index.html")).href), 1);
});

test("no lock file names a registry", () => {
  for (const path of ["package-lock.json", "tests/consumers/package-lock.json"]) {
    assert.doesNotMatch(readFileSync(join(root, path), "utf8"), /"resolved"/);
  }
  assert.ok(readdirSync(root).includes(".npmrc"));
});
