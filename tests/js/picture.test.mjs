// Pictures from JavaScript: the same bytes as the native program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";

const root = join(import.meta.dirname, "../..");
const digits = join(root, "web/samples/digits/model.ckpt.meta");
const folder = mkdtempSync(join(tmpdir(), "picture-"));
after(() => rmSync(folder, { recursive: true }));

const native = (name, ...options) => {
  const out = join(folder, name);
  execFileSync(join(root, "build/release/cryograph"), ["draw", digits, "-o", out, "--force", "--quiet", ...options], {
    stdio: "pipe",
  });
  return readFileSync(out, "utf8");
};

test("a picture is the one that the native program draws", async () => {
  const model = await open(digits);
  const picture = await model.picture();
  assert.equal(picture.svg(), native("native.svg"));
  assert.deepEqual(picture.toJSON(), JSON.parse(native("native.json")));
  assert.equal(picture.report.view.nodes, 309);
});

test("options choose what is open and how it is colored", async () => {
  const model = await open(digits);
  const picture = await model.picture({ open: ["conv1"], color: "weights" });
  assert.deepEqual(picture.toJSON().view.open, ["conv1"]);
  assert.deepEqual(picture.toJSON(), JSON.parse(native("open.json", "--open", "conv1", "--color", "weights")));
  await assert.rejects(model.picture({ color: "pink" }), { code: "bad-option" });
  await assert.rejects(model.picture({ function: "f" }), { code: "not-in-graph" });
});

test("a picture against another model marks what differs", async () => {
  const model = await open(digits);
  const small = await model.prune({ outputs: ["hidden/BiasAdd"] });
  const { boxes } = (await small.picture({ against: model, depth: 9 })).toJSON();
  const colorOf = (name) => boxes.find((box) => box.name === name && box.kind === "node").color;
  assert.equal(colorOf("hidden/BiasAdd"), "same");
  assert.equal(colorOf("probabilities"), "removed");
});

test("a worker draws the same", async () => {
  const model = await openInWorker(digits);
  const small = await model.prune({ outputs: ["hidden/BiasAdd"] });
  assert.equal((await model.picture()).svg(), native("native.svg"));
  assert.ok((await small.picture({ against: model })).toJSON().boxes.some((box) => box.color === "removed"));
});

test("the npm command draws the same", () => {
  const out = join(folder, "npm.html");
  execFileSync(process.execPath, [join(root, "dist/cli.js"), "draw", digits, "-o", out, "--quiet"], { stdio: "pipe" });
  assert.equal(readFileSync(out, "utf8"), native("native.html"));
});
