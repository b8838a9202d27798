// Other runtimes than Node, and test runners, each with the package in this thread and, where there are workers, in one.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, devServer, packed, project, run, tool, tools } from "./projects.mjs";

const { cryograph } = packed();

test("Deno", () => {
  const folder = project("deno", cryograph.path);
  const args = ["run", "-A", "--no-remote", "--node-modules-dir=manual", "main.mjs", join(folder, "sample/model.ckpt")];
  const env = { ...process.env, DENO_DIR: join(tools, "deno-cache"), DENO_NO_UPDATE_CHECK: "1" };
  check(JSON.parse(run(tool("deno"), args, { cwd: folder, env })), 2);
});

test("Bun", () => {
  const folder = project("bun", cryograph.path, join(tools, "runtimes"));
  check(JSON.parse(run(tool("bun"), ["main.mjs", join(folder, "sample/model.ckpt")], { cwd: folder })), 2);
});

for (const environment of ["node", "jsdom", "happy-dom"]) {
  test(`Vitest, ${environment}`, () => {
    const folder = project("vitest", cryograph.path, join(tools, `vitest-${environment}`));
    run(tool("vitest"), ["run", "--environment", environment], { cwd: folder });
    check(JSON.parse(readFileSync(join(folder, "frozen.json"), "utf8")), 1);
  });
}

for (const environment of ["node", "jsdom"]) {
  test(`Jest, ${environment}`, () => {
    const folder = project("jest", cryograph.path, join(tools, `jest-${environment}`));
    // Jest's jsdom takes the files for browsers, which need a server. These conditions choose the files for Node.
    const conditions = JSON.stringify({ customExportConditions: ["node"] });
    const config = JSON.stringify({ testEnvironment: environment, testMatch: ["**/*.test.mjs"], transform: {} });
    const args = ["--config", config, "--testEnvironmentOptions", conditions, "--ci"];
    run(process.execPath, ["--experimental-vm-modules", tool("jest"), ...args], { cwd: folder });
    check(JSON.parse(readFileSync(join(folder, "frozen.json"), "utf8")), 1);
  });
}

test("Cloudflare's workerd, with a WebAssembly.Module", async (t) => {
  const folder = project("workerd", cryograph.path);
  copyFileSync(join(folder, "node_modules/cryograph/dist/core.wasm"), join(folder, "core.wasm"));
  const conditions = "--conditions=workerd,worker,browser";
  const args = ["main.js", "--bundle", "--format=esm", "--outdir=dist", "--external:./core.wasm", conditions];
  run(tool("esbuild"), [...args, "--log-level=error"], { cwd: folder });
  const program = join(tools, "node_modules/workerd/bin/workerd");
  const form = new FormData();
  for (const name of readdirSync(join(folder, "sample")))
    form.set(name, new File([readFileSync(join(folder, "sample", name))], name));
  const url = await devServer(t, program, ["serve", "config.capnp", "--control-fd=1"], { cwd: folder });
  const response = await fetch(url, { method: "POST", body: form });
  assert.equal(response.status, 200, await response.clone().text());
  check([new Uint8Array(await response.arrayBuffer())], 1);
});
