import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { command, root } from "./support.mjs";

/** `cryograph serve`, ended after the test; what it prints first. */
async function serving(t, ...args) {
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve", ...args]);
  t.after(() => child.kill());
  const [text] = await once(child.stdout, "data");
  return String(text);
}

test("serve shows the page from the package, as it is built", async (t) => {
  const report = JSON.parse(await serving(t, "--json"));
  assert.match(report.url, /^http:\/\/localhost:\d+\/$/);
  for (const name of readdirSync(join(root, "build/web"))) {
    const response = await fetch(report.url + name);
    assert.equal(response.status, 200, name);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(readFileSync(join(root, "build/web", name))), name);
  }
  assert.match(await (await fetch(report.url)).text(), /<html/);
  for (const other of ["no/such", "..%2fcli.js", "%2e%2e/cli.js", "%ff"]) assert.equal((await fetch(report.url + other)).status, 404, other);
});

test("a port that was asked for is that port or none; else the next that is free", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  t.after(() => taken.close());
  const { status, stderr } = command(["serve", "--port", String(taken.address().port)]);
  assert.equal(status, 3);
  assert.match(stderr, /--port/);
  assert.match(await serving(t), /^http:\/\/localhost:\d+\/\n$/);
  assert.match(await serving(t), /^http:\/\/localhost:\d+\/\n$/);
  assert.equal(command(["serve", "--port", "x"]).status, 2);
});
