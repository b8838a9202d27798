// The size of the page, as figures that fail above a bound a little over the present ones. Its times: tests/bench/page.mjs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { kMaxBytes } from "../js/most_bytes.mjs";
import { root } from "./browser.mjs";
import { withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGoal = 600e3; // bytes of the first load, the core among them, compressed

const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

// Prints the sizes of files as a server sends them: each compressed by itself.
function weigh(t, what, files) {
  const sum = (compress) => files.reduce((bytes, file) => bytes + compress(file).length, 0);
  const gzip = sum((file) => gzipSync(file, { level: 9 }));
  t.diagnostic(
    `${what}: ${kb(sum((file) => file))}, gzip ${kb(gzip)}, brotli ${kb(sum((file) => brotliCompressSync(file)))} ` +
      `(goal ${kb(kGoal)}; fails above gzip ${kb(kMaxBytes[what])})`,
  );
  assert.ok(gzip < kMaxBytes[what], `${what} has come to ${gzip} bytes`);
}

test("the page in one file, with its core and its samples", (t) => {
  weigh(t, "the page in one file", [readFileSync(join(root, "build/cryograph.html"))]);
});

test("the first load asks for the page alone", async (t) => {
  const page = await browser.installed(t);
  const names = await page.evaluate(() => {
    const [{ domContentLoadedEventEnd: interactive }] = performance.getEntriesByType("navigation");
    const before = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < interactive);
    return before.map(({ name }) => name.slice(new URL(".", location.href).href.length));
  });
  const needed = ["index.html", ...names.filter((name) => name !== "icon.svg")]; // that comes when the browser likes
  // The chunk: modules that the workshop, which is loaded later, imports too.
  assert.deepEqual(needed.map((name) => name.replace(/-\w{8}\.js$/, ".js")).sort(), [
    "chunk.js",
    "cryograph-worker-text.js",
    "index.html",
    "page.js",
    "style.css",
  ]);
  const read = (name) => readFileSync(join(root, "build/web", name));
  weigh(t, "the first load", needed.map(read));
  weigh(
    t,
    "the first load and what shows a model",
    [...needed, ...readdirSync(join(root, "build/web")).filter((name) => name.startsWith("workshop-"))].map(read),
  );
});
