import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync, brotliCompressSync } from "node:zlib";
import * as inline from "cryograph/inline";
import * as here from "cryograph";
import * as worker from "cryograph/worker";
import { packedBytes } from "../../scripts/bundle_core.mjs";
import { kMaxBytes } from "./most_bytes.mjs";
import { filesIn, root, sample, scratch } from "./support.mjs";
import { complaints } from "./type_projects.mjs";

const dist = join(root, "dist");
const wasm = readFileSync(join(dist, "core.wasm"));
const inlined = readFileSync(fileURLToPath(import.meta.resolve("cryograph-inline")), "utf8");
const files = filesIn(sample);

async function opens({ open }) {
  const model = await open({ "model.ckpt.meta": files["model.ckpt.meta"] });
  return model.inspect().nodes;
}

test("core.wasm comes from beside the module, from a URL, from bytes, compiled, or from inside", async () => {
  const nodes = await opens(here);
  assert.ok(nodes > 0);
  const url = new URL("core.wasm", import.meta.resolve("cryograph"));
  for (const options of [{ wasmBinary: wasm }, { wasmModule: new WebAssembly.Module(wasm) }, { wasmUrl: url }, {}]) {
    await here.init(options);
    assert.equal(await opens(here), nodes);
  }
  assert.equal(await opens(inline), nodes);
});

test("the worker takes core.wasm from the same places", async () => {
  for (const options of [
    { wasmBinary: wasm },
    { wasmModule: new WebAssembly.Module(wasm) },
    { wasmUrl: new URL("core.wasm", import.meta.resolve("cryograph")) },
    {},
  ]) {
    await worker.init(options);
    const model = await worker.open({ "model.ckpt.meta": files["model.ckpt.meta"] });
    assert.ok((await model.inspect()).nodes > 0);
    model[Symbol.dispose]();
    await assert.rejects(model.inspect(), { code: "model-closed" });
  }
  await worker.init({ wasmBinary: new Uint8Array(8) });
  await assert.rejects(worker.open(files["model.ckpt.meta"]), { code: "core-not-loaded" });
  await worker.init();
});

test("every entry point can be required", () => {
  const require = createRequire(import.meta.url);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, entry] of Object.entries(exports)) {
    if (!entry.types || name === "./worker_host") continue; // that is for workers
    const names = Object.keys(require(`cryograph${name.slice(1)}`));
    assert.ok(names.includes(name === "./verify" ? "verify" : "open"), name);
  }
});

test("a core that is not there is an error, and the next try may succeed", async () => {
  for (const options of [{ wasmUrl: "nowhere.wasm" }, { wasmBinary: new Uint8Array(8) }]) {
    await here.init(options); // loads nothing yet
    await assert.rejects(opens(here), { code: "core-not-loaded" });
  }
  await here.init();
  assert.ok((await opens(here)) > 0);
});

test("every export of package.json is a file", () => {
  const paths = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry).flatMap(paths));
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const path of [...paths(exports), ...paths(bin)]) assert.ok(existsSync(join(root, path)), path);
});

test("nothing is made into code at run time: a strict content security policy holds", () => {
  const scripts = readdirSync(dist)
    .filter((file) => file.endsWith(".js"))
    .map((name) => [name, readFileSync(join(dist, name), "utf8")]);
  for (const [name, text] of [...scripts, ["cryograph-inline", inlined]]) {
    assert.doesNotMatch(text, /\beval\(|new Function\b|\bFunction\(["'\x60]/, name);
  }
});

// The goal for core.wasm is judged by tests/bench; this is the ratchet.
test("the wasm and its glue do not grow unnoticed", (t) => {
  const chunks = readdirSync(dist).filter((name) => /^(web|worker_host|browser-.*)\.js$/.test(name));
  const scripts = chunks.map((name) => readFileSync(join(dist, name), "utf8"));
  const glue = scripts.join("");
  const compressed = brotliCompressSync(glue).length;
  t.diagnostic(
    `core.wasm ${wasm.length} bytes, deflated ${deflateRawSync(wasm, { level: 9 }).length}, brotli ` +
      `${brotliCompressSync(wasm).length}; scripts ${glue.length} bytes, brotli ${compressed}`,
  );
  assert.ok(wasm.length <= kMaxBytes["core.wasm"], `core.wasm has ${wasm.length} bytes`);
  assert.ok(compressed <= kMaxBytes["scripts for browsers"], `scripts of ${compressed} bytes`);
});

test("the definitions of ops stay small", (t) => {
  const size = deflateRawSync(readFileSync(join(root, "core/data/ops.bin")), { level: 9 }).length;
  t.diagnostic(`ops.bin ${size} bytes, deflated`);
  assert.ok(size <= kMaxBytes["ops.bin"], `${size} bytes`);
  const start = readFileSync(join(dist, "ops.js"), "utf8").slice(0, 200).split('"')[1];
  const carriers = readdirSync(dist).filter(
    (name) => name.endsWith(".js") && readFileSync(join(dist, name), "utf8").includes(start),
  );
  assert.deepEqual(carriers, ["ops.js"]);
});

test("the types hold for strict projects, with a page's types, with Node's, and however modules are resolved", (t) => {
  const folder = scratch(t);
  cpSync(join(root, "tests/consumers/projects/types"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/cryograph"));
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  assert.equal(complaints(join(root, "node_modules/typescript/bin/tsc"), folder), "");
});

test("no type has members of any name, but for maps by name", () => {
  const types = readdirSync(join(dist, "types"), { recursive: true }).filter((path) => path.endsWith(".d.ts"));
  for (const path of types) assert.doesNotMatch(readFileSync(join(dist, "types", path), "utf8"), /^ +\[\w+: /m, path);
});

test("the package holds what runs, and no more", () => {
  const files = readdirSync(dist, { recursive: true }).filter((path) => statSync(join(dist, path)).isFile());
  assert.deepEqual(
    files.filter((path) => !/\.(js|js\.map|wasm|d\.ts)$/.test(path)),
    [],
  );
  const size = (path) => statSync(join(dist, path)).size;
  const scripts = files.filter((path) => path.endsWith(".js") && path !== "ops.js" && path !== "releases.js");
  const forNode = scripts.filter((path) => !existsSync(join(dist, `${path}.map`)));
  const sum = (paths) => paths.reduce((all, path) => all + size(path), 0);
  // Scripts for Node are not minified, so that an uncaught error can be read.
  assert.ok(sum(forNode) < 400e3, "a script carries core.wasm once more");
  assert.ok(sum(scripts) - sum(forNode) < 200e3, "a script carries core.wasm once more");
});

test("an uncaught error prints its class, its message, its code and a stack that can be read", (t) => {
  const script = join(root, "build/uncaught.mjs");
  t.after(() => rmSync(script));
  writeFileSync(
    script,
    `import { open } from "cryograph";
    await (await open(${JSON.stringify(sample)})).freeze({ outputs: "no/such" });`,
  );
  const { stderr, status } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^CryographError: no\/such/m);
  assert.match(stderr, /^ +at \w*Model\.freeze \(/m);
  assert.match(stderr, /^ +code: 'not-in-graph',$/m);
  assert.doesNotMatch(stderr, /report:/);
  assert.ok(
    stderr.split("\n").every((line) => line.length < 200),
    stderr,
  );
});

test("scripts for browsers have source maps to the sources they are made of", () => {
  const scripts = readdirSync(dist).filter((name) => /^(web|worker|worker_host|verify|browser-.*)\.js$/.test(name));
  const sources = scripts.flatMap((name) => {
    assert.match(readFileSync(join(dist, name), "utf8"), new RegExp(`//# sourceMappingURL=${name}.map\n$`));
    const map = JSON.parse(readFileSync(join(dist, `${name}.map`), "utf8"));
    assert.equal(map.sourcesContent.length, map.sources.length);
    return map.sources;
  });
  for (const name of ["model/model.ts", "worker/worker_host.ts", "verify/verify.ts"])
    assert.ok(sources.includes(`../wasm/package/${name}`), name);
});

test("the inlined core is core.wasm", async () => {
  assert.ok(inlined.includes(await packedBytes(wasm)));
});

test("every declaration file belongs to an entry point", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const used = new Set();
  const visit = (path) => {
    if (used.has(path)) return;
    used.add(path);
    for (const [, name] of readFileSync(path, "utf8").matchAll(/["'](\.[^"']*)\.js["']/g))
      visit(resolve(path, "..", `${name}.d.ts`));
  };
  for (const { types } of Object.values(exports)) if (types) visit(join(root, types));
  const all = readdirSync(join(dist, "types"), { recursive: true })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => join(dist, "types", path));
  assert.deepEqual(
    all.filter((path) => !used.has(path)),
    [],
  );
});
