// Each example as a person starts it, in a folder in which the package is installed.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";
import { test } from "node:test";
import { launch, openPage } from "../e2e/browser.mjs";
import { data, filesIn, native, root, sample, scratch } from "../js/support.mjs";

const kTypes = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const kParts = ["meta", "index", "data-00000-of-00001"].map((ending) => join(sample, `model.ckpt.${ending}`));

/** Returns a copy of an example, with the package installed. */
function example(t, name) {
  const folder = scratch(t);
  cpSync(join(root, "examples", name), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/cryograph"));
  return folder;
}

/** Returns what the native program freezes the sample to. */
function frozenSample(t, ...options) {
  const path = join(scratch(t), "frozen.pb");
  assert.equal(native(["freeze", join(sample, "model.ckpt.meta"), ...options, "-o", path]).status, 0);
  return readFileSync(path);
}

test("batch: freezes all models of a folder, and names those that cannot be frozen", (t) => {
  const folder = example(t, "batch");
  for (const name of ["ref", "meta_only"]) cpSync(join(data, name), join(folder, "models", name), { recursive: true });
  cpSync(join(data, "objects/keras/saved"), join(folder, "models/keras"), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ["freeze_all.mjs", "models", "out"], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.match(stderr, /^models\/meta_only\/model\.meta: .*no checkpoint was found/);
  assert.equal(status, 1);
  const made = filesIn(join(folder, "out"));
  assert.deepEqual(Object.keys(made), ["keras.pb", "ref/model.ckpt.pb"]);
  for (const [name, path] of [
    ["keras.pb", "objects/keras/saved"],
    ["ref/model.ckpt.pb", "ref/model.ckpt.meta"],
  ]) {
    const expected = join(folder, basename(name));
    native(["freeze", join(data, path), "-o", expected]);
    assert.ok(made[name].equals(readFileSync(expected)), name);
  }
});

test("ci: the command of the workflow prints annotations, and fails on an error", (t) => {
  const folder = example(t, "ci");
  mkdirSync(join(folder, "models"));
  cpSync(join(root, "web/samples/broken/broken.pb"), join(folder, "models/broken.pb"));
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync("../cryograph/dist/cli.js", join(folder, "node_modules/.bin/cryograph"));
  const [, command] = /- run: (.*)/.exec(readFileSync(join(folder, ".github/workflows/models.yml"), "utf8"));
  const { status, stdout } = spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });
  assert.match(stdout, /^::error file=models\/broken\.pb,title=unknown-input-node::/);
  assert.equal(status, 1);
});

test("server: answers with the frozen model, and with the reason if it cannot", async (t) => {
  const folder = example(t, "server");
  const child = spawn(process.execPath, ["server.mjs", "0"], { cwd: folder });
  t.after(() => child.kill());
  const [address] = (await once(child.stdout, "data")).map(String);
  const archive = spawnSync("tar", ["-cz", "-C", sample, ...kParts.map((path) => basename(path))]).stdout;
  const post = (query) => fetch(`${address.trim()}${query}`, { method: "POST", body: archive });
  const frozen = await post("?outputs=probabilities");
  assert.equal(frozen.status, 200);
  assert.ok(Buffer.from(await frozen.arrayBuffer()).equals(frozenSample(t, "--outputs", "probabilities")));
  const refused = await post("?outputs=nope");
  assert.equal(refused.status, 422);
  assert.equal((await refused.json()).code, "not-in-graph");
});

/** Serves a folder; returns the address. */
async function serve(t, folder) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
    try {
      const bytes = readFileSync(join(folder, name));
      response.writeHead(200, { "Content-Type": kTypes[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}/`;
}

test("drop: freezes the files that are chosen, in the browser", async (t) => {
  const address = await serve(t, example(t, "drop"));
  const browser = await launch();
  t.after(() => browser.close());
  const page = await openPage(browser, address);
  await page.getByLabel("Files of a model").setInputFiles(kParts);
  await page.getByRole("status").getByText("Outputs: probabilities").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "frozen.pb" }).click();
  const bytes = readFileSync(await (await download).path());
  assert.ok(bytes.equals(frozenSample(t)));
});
