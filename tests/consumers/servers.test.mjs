// Vite and SvelteKit: development servers and builds, in this thread and in a worker. What needs a word of configuration says it.
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, devServer, inBrowser, packed, project, run, tools } from "./projects.mjs";

const { cryograph } = packed();
const viteOf = (name) => join(tools, "node_modules", name, "bin/vite.js");
const serving = (vite) => [vite, "--host", "127.0.0.1", "--port", "0", "--clearScreen", "false"];

for (const name of ["vite6", "vite", "vite8"]) {
  test(`${name}: build`, async () => {
    const folder = project("vite", cryograph.path, join(tools, `${name}-build`));
    run(process.execPath, [viteOf(name), "build", "--logLevel", "error"], { cwd: folder });
    cpSync(join(folder, "sample"), join(folder, "dist/sample"), { recursive: true });
    check(await inBrowser(join(folder, "dist")), 2);
  });

  test(`${name}: development server`, async (t) => {
    const folder = project("page", cryograph.path, join(tools, `${name}-dev`));
    const url = await devServer(t, process.execPath, [...serving(viteOf(name)), "--config", "excluded.config.mjs"], {
      cwd: folder,
    });
    check(await inBrowser(folder, url), 2);
  });
}

test("Vite 8: development server, without configuration", async (t) => {
  const folder = project("page", cryograph.path, join(tools, "vite8-plain"));
  check(await inBrowser(folder, await devServer(t, process.execPath, serving(viteOf("vite8")), { cwd: folder })), 2);
});

for (const name of ["vite6", "vite"]) {
  test(`${name}: development server, without configuration, says what to configure`, async (t) => {
    const folder = project("page", cryograph.path, join(tools, `${name}-plain`));
    const said = await inBrowser(folder, await devServer(t, process.execPath, serving(viteOf(name)), { cwd: folder }));
    assert.match(said[0], /^core-not-loaded: .*http:.*core\.wasm.*optimizeDeps: \{ exclude: \["cryograph"\] \}/);
    assert.match(said[1], /^worker-lost: .*http:.*worker_host\.js.*optimizeDeps/);
  });
}

test("SvelteKit: build and development server", async (t) => {
  const folder = project("sveltekit", cryograph.path);
  cpSync(join(folder, "sample"), join(folder, "static/sample"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "kit", private: true, type: "module" }));
  const url = await devServer(t, process.execPath, [...serving(viteOf("vite"))], { cwd: folder });
  check(await inBrowser(folder, url), 2);
  run(process.execPath, [viteOf("vite"), "build", "--logLevel", "error"], { cwd: folder });
  check(await inBrowser(join(folder, "build")), 2);
});
