// The size of the page and its times, as figures. Sizes fail above a bound a little over the present ones; times are
// only printed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { kMostBytes } from "../js/most_bytes.mjs";
import { give, openingTime, root } from "./browser.mjs";
import { writeSparseGraph } from "./protobuf.mjs";
import { scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kGoal = 600e3; // bytes of the first load, the core among them, compressed
const kVisits = 3; // the best of them: the machine may be busy with other things

const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

// Prints the sizes of files as a server sends them: each compressed by itself.
function weigh(t, what, files) {
  const sum = (compress) => files.reduce((bytes, file) => bytes + compress(file).length, 0);
  const gzip = sum((file) => gzipSync(file, { level: 9 }));
  t.diagnostic(
    `${what}: ${kb(sum((file) => file))}, gzip ${kb(gzip)}, brotli ${kb(sum((file) => brotliCompressSync(file)))} ` +
      `(goal ${kb(kGoal)}; fails above gzip ${kb(kMostBytes[what])})`,
  );
  assert.ok(gzip < kMostBytes[what], `${what} has come to ${gzip} bytes`);
}

test("the page in one file, with its core and its samples", (t) => {
  weigh(t, "the page in one file", [readFileSync(join(root, "build/cryograph.html"))]);
});

test("the first load asks for the page alone", async (t) => {
  const page = await browser.page(t, {});
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

test("the page is there at once, and a model soon after", async (t) => {
  const visits = [];
  for (let i = 0; i < kVisits; i++) visits.push(await visit(await browser.page(t, {})));
  const best = (what) => `${Math.min(...visits.map((each) => each[what])).toFixed(0)} ms`;
  t.diagnostic(
    `first paint ${best("painted")}, interactive ${best("interactive")}, the first model (its core compiled) ${best("opened")}`,
  );
});

// Scripts are modules: when the document is loaded they have run, and the page listens.
async function visit(page) {
  const { painted, interactive } = await page.evaluate(
    () =>
      new Promise((done) => {
        const told = ([paint]) =>
          paint &&
          done({
            painted: paint.startTime,
            interactive: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
          });
        new PerformanceObserver((list) => told(list.getEntriesByName("first-contentful-paint"))).observe({
          type: "paint",
          buffered: true,
        });
      }),
  );
  assert.ok(await page.getByRole("button", { name: "Open files" }).isEnabled());
  await page.getByRole("button", { name: "Try the sample" }).click();
  return { painted, interactive, opened: await openingTime(page) };
}

test("the summary of a model of 100 MB", async (t) => {
  const page = await browser.page(t, {});
  const path = join(scratch(t), "hundred.pb");
  writeSparseGraph(path, 25000);
  const times = [];
  for (let i = 0; i < kVisits; i++) {
    await page.evaluate(() => performance.clearMeasures());
    await give(page, path);
    times.push(await openingTime(page));
  }
  assert.equal(await page.locator("#model-title").textContent(), "hundred.pb");
  t.diagnostic(
    `summary of 100 MB: ${times[0].toFixed(0)} ms the first time, then ${Math.min(...times).toFixed(0)} ms (goal 300 ms)`,
  );
});
