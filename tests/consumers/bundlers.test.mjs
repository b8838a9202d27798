// Bundlers that do not follow new URL(..., import.meta.url): they say which files to put next to the bundle. Parcel does.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, inBrowser, packed, project, run, serve, tool, tools } from "./projects.mjs";

const { cryograph } = packed();

const kBundlers = {
  esbuild: ["esbuild", ["main.js", "--bundle", "--format=esm", "--outdir=dist", "--log-level=error"]],
  Rollup: ["rollup", ["--config", "rollup.config.mjs", "--silent"]],
  Bun: ["bun", ["build", "main.js", "--outdir=dist", "--target=browser"]],
};

for (const [name, [program, args]] of Object.entries(kBundlers)) {
  test(`${name}: names what is missing, and works with it next to the bundle`, async () => {
    const folder = project("page", cryograph.path, join(tools, program));
    run(tool(program), args, { cwd: folder });
    copyFileSync(join(folder, "bundled.html"), join(folder, "index.html"));
    const said = await inBrowser(folder);
    assert.match(said[0], /^core-not-loaded: .*http:.*\/dist\/core\.wasm gave HTTP status 404.*init\(\{ wasmUrl \}\)/);
    assert.match(said[1], /^worker-lost: .*http:.*\/dist\/worker_host\.js.*init\(\{ workerUrl \}\)/);
    for (const file of ["core.wasm", "worker_host.js", "ops.js"])
      copyFileSync(join(folder, "node_modules/cryograph/dist", file), join(folder, "dist", file));
    check(await inBrowser(folder), 2);
  });
}

test("Parcel, with packageExports", async () => {
  const folder = project("page", cryograph.path, join(tools, "parcel"));
  writeFileSync(join(folder, "yarn.lock"), ""); // by which Parcel knows the root of a project
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const resolver = { "@parcel/resolver-default": { packageExports: true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...about, ...resolver }));
  run(tool("parcel"), ["build", "index.html", "--dist-dir", "dist", "--no-cache", "--no-source-maps"], { cwd: folder });
  run("cp", ["-r", "sample", "dist/sample"], { cwd: folder });
  check(await inBrowser(join(folder, "dist")), 2);
});

test("a CDN: the package from another origin, in this thread and in a worker", async (t) => {
  const folder = project("cdn", cryograph.path);
  const [cdn, own] = [await serve(folder), await serve(folder)];
  t.after(() => [cdn, own].forEach((server) => server.close()));
  const address = (server) => `http://127.0.0.1:${server.address().port}`;
  check(await inBrowser(folder, `${address(own)}/index.html?cdn=${encodeURIComponent(address(cdn))}`), 2);
});
