// The packed packages in projects as people have them. Each gives the bytes of the frozen sample, which are those of the command here.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { kMaxBytes } from "../js/most_bytes.mjs";
import { filesIn, root, scratch } from "../js/support.mjs";
import { complaints } from "../js/type_projects.mjs";
import { check, inBrowser, kOthers, packed, project, run, tool, tools } from "./projects.mjs";

const packages = packed();
const cryograph = packages.cryograph;
const [page, inline] = kOthers.map((name) => packages[name]);

for (const [name, { files, size, unpackedSize, path }] of Object.entries(packages)) {
  test(`${name} is packed with what runs and its licenses, and does not grow unnoticed`, (t) => {
    const paths = files.map((file) => file.path);
    for (const needed of ["LICENSE", "THIRD-PARTY-NOTICES.md", "README.md", "package.json"])
      assert.ok(paths.includes(needed), needed);
    t.diagnostic(`${size} bytes packed, ${unpackedSize} unpacked, ${paths.length} files`);
    assert.ok(size <= kMaxBytes[name], `${size} bytes`);
    assert.match(run(tool("publint"), ["run", path, "--strict"]), /All good/);
  });
}

test("cryograph is packed without the page and the inlined core", () => {
  const paths = cryograph.files.map(({ path }) => path);
  assert.ok(paths.includes("CHANGELOG.md"));
  assert.deepEqual(
    paths.filter(
      (path) =>
        path.includes("/") &&
        !/^(dist\/([^/]+\.(js|js\.map|wasm)|types\/.*\.d\.ts)|docs\/(schema\/[a-z.-]+\.json|reference\/cryograph\.1))$/.test(
          path,
        ),
    ),
    [],
  );
});

test("the packages have one version, and what a registry shows", () => {
  const abouts = [root, ...kOthers.map((name) => join(root, "build/packages", name))].map((folder) =>
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  const [{ version, repository, peerDependencies, peerDependenciesMeta }] = abouts;
  for (const about of abouts) {
    assert.deepEqual(
      [about.version, about.repository, about.license, about.private],
      [version, repository, "Apache-2.0", true],
    );
    for (const key of ["description", "keywords", "author", "homepage", "bugs", "engines"])
      assert.ok(about[key], `${about.name}: ${key}`);
  }
  for (const name of kOthers)
    assert.deepEqual([peerDependencies[name], peerDependenciesMeta[name]], [version, { optional: true }]);
});

test("the types are right however modules are resolved", () => {
  run(tool("attw"), [cryograph.path, "--profile", "esm-only", "--exclude-entrypoints", "./core.wasm", "./cli"]);
});

test("Node: ES modules, require(), and the command", (t) => {
  const folder = project("node", [cryograph.path, inline.path], scratch(t));
  const model = join(folder, "sample/model.ckpt");
  check(JSON.parse(run(process.execPath, ["main.mjs", model], { cwd: folder })), 3);
  check(JSON.parse(run(process.execPath, ["main.cjs", model], { cwd: folder })), 2);
  run("npx", ["--offline", "cryograph", "freeze", model, "--outputs", "probabilities", "-o", "frozen.pb"], {
    cwd: folder,
  });
  check([readFileSync(join(folder, "frozen.pb"))], 1);
});

test("Node, without the other packages: each that is missing is named", (t) => {
  const folder = project("node", cryograph.path, scratch(t));
  const model = join(folder, "sample/model.ckpt");
  run("npx", ["--offline", "cryograph", "freeze", model, "--outputs", "probabilities", "-o", "frozen.pb"], {
    cwd: folder,
  });
  check([readFileSync(join(folder, "frozen.pb"))], 1);
  const serve = spawnSync("npx", ["--offline", "cryograph", "serve"], { cwd: folder, encoding: "utf8" });
  assert.deepEqual([serve.status, serve.stdout], [3, ""]);
  assert.match(serve.stderr, /cryograph-page.*\[page-missing\]\n.*npm install cryograph-page/);
  const imported = spawnSync(process.execPath, ["--input-type=module", "--eval", 'import "cryograph/inline"'], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(imported.status, 1);
  assert.match(imported.stderr, /Cannot find package 'cryograph-inline' imported from .*cryograph\/dist\/inline\.js/);
});

test("npm refuses another version of the other packages", (t) => {
  const folder = project("node", cryograph.path, scratch(t));
  const other = join(folder, "other");
  mkdirSync(other);
  writeFileSync(join(other, "package.json"), JSON.stringify({ name: "cryograph-inline", version: "999.0.0" }));
  const { status, stderr } = spawnSync("npm", ["install", "--offline", "--no-audit", "--no-fund", other], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /ERESOLVE/);
});

test("serve shows the page of cryograph-page, as it is built", async (t) => {
  const folder = project("node", [cryograph.path, page.path], scratch(t));
  const child = spawn(process.execPath, ["node_modules/cryograph/dist/cli.js", "serve", "--json"], { cwd: folder });
  t.after(() => child.kill());
  const [report] = await once(child.stdout, "data");
  const { url } = JSON.parse(String(report));
  for (const [name, bytes] of Object.entries(filesIn(join(root, "build/web"))))
    assert.ok(bytes.equals(Buffer.from(await (await fetch(url + name)).arrayBuffer())), name);
});

for (const compiler of ["typescript", "typescript7"]) {
  const folder = join(tools, "node_modules", compiler);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  test(`TypeScript ${version}`, (t) => {
    const place = project("types", cryograph.path, scratch(t));
    mkdirSync(join(place, "node_modules/@types"));
    for (const name of ["@types/node", "undici-types"])
      symlinkSync(join(root, "node_modules", name), join(place, "node_modules", name));
    writeFileSync(join(place, "package.json"), '{"type": "module"}');
    assert.equal(complaints(join(folder, "bin/tsc"), place), "");
  });
}

test("webpack", async () => {
  const folder = project("webpack", cryograph.path);
  run(tool("webpack"), [], { cwd: folder });
  check(await inBrowser(folder), 2);
});

test("Next", async () => {
  const folder = project("next", cryograph.path);
  run(tool("next"), ["build"], { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1" } });
  cpSync(join(folder, "sample"), join(folder, "out/sample"), { recursive: true });
  check(await inBrowser(join(folder, "out")), 2);
});

test("a plain script of type module", async () => {
  check(await inBrowser(project("script", cryograph.path)), 3);
});

test("inline, in a page that is a file", async () => {
  const folder = project("inline", [cryograph.path, inline.path]);
  const binary = [".meta", ".index", ".data-00000-of-00001"].map((ending) => `--loader:${ending}=binary`);
  run(tool("esbuild"), ["main.js", "--bundle", "--format=iife", "--outdir=dist", "--log-level=error", ...binary], {
    cwd: folder,
  });
  check(await inBrowser(folder, pathToFileURL(join(folder, "index.html")).href), 1);
});

test("no lock file names a registry", () => {
  for (const path of ["package-lock.json", "tests/consumers/package-lock.json"]) {
    assert.doesNotMatch(readFileSync(join(root, path), "utf8"), /"resolved"/);
  }
  assert.ok(readdirSync(root).includes(".npmrc"));
});
