// A real Chromium over the built page, served with a strict content security policy; every request and every complaint
// of the browser is kept.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { extname, join, resolve } from "node:path";
import { chromium } from "playwright-core";

export const root = resolve(import.meta.dirname, "../..");
const kTypes = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
const kPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; worker-src 'self' blob:; manifest-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'";
// The service worker may fetch the page's own files, and sees no model.
const kServiceWorkerPolicy = "default-src 'none'; connect-src 'self'";
export const kArguments = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Ends a wait for what never comes: thirty times what the longest one takes, of the hash of a gigabyte. Units: milliseconds. */
export const kPatience = 240_000;

/** Serves build/web below a path that is not the root. */
export function serve() {
  const prefix = "/some/where/";
  const server = createServer((request, response) => {
    const name = request.url.startsWith(prefix) ? request.url.slice(prefix.length) || "index.html" : null;
    try {
      const bytes = readFileSync(join(root, "build/web", name));
      const policy = name === "service_worker.js" ? kServiceWorkerPolicy : kPolicy;
      const headers = { "Content-Type": kTypes[extname(name)] ?? "text/plain", "Content-Security-Policy": policy };
      response.writeHead(200, headers).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => {
      done({ address: `http://127.0.0.1:${server.address().port}${prefix}`, close: () => server.close() });
    }),
  );
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: kArguments });
}

/** Opens a fresh page, and records its requests and complaints. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  const seen = { requests: [], complaints: [] };
  context.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  await page.goto(address);
  return Object.assign(page, { seen });
}

/** Gives files to the page as the Open files button would. */
export function give(page, files) {
  return page.locator('input[name="files"]').setInputFiles(files);
}

/** Drops files or folders of the disk on the window. */
export async function drop(page, paths) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const drag = (type) => session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
  await drag("dragEnter");
  await page.locator(".veil").waitFor();
  await drag("dragOver");
  await drag("drop");
  await session.detach();
}

/** Shows a pane: on a narrow screen there is one at a time. */
export async function showPane(page, name) {
  const button = page.locator(".pane-switch").getByRole("button", { name });
  if (await button.isVisible()) await button.click();
}

/** Shows a table: Nodes, Weights, Functions, Signatures; or the picture. A model opens with its picture. */
export async function showTable(page, name) {
  await showPane(page, "Graph");
  await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
  if (name !== "Picture")
    await page.locator(".stage data-table .table-body [role=row], .empty-table").first().waitFor({ state: "attached" });
}

/** Takes a tool: Freeze, Prune, Un-freeze, Transfer, Validate, Compare, Save as. */
export async function take(page, tool) {
  await showPane(page, "Tools");
  await page.getByRole("tab", { name: tool, exact: true }).click();
}

/** Takes a tool and presses its button. */
export async function press(page, tool) {
  await take(page, tool);
  await page.locator(".apply").click();
}

/** Presses one and waits until it is done; fails with what the page says where it could not be. */
export async function perform(page, tool) {
  await press(page, tool);
  await settled(page);
}

/** Clears every output that is chosen. */
export async function clearChoices(page) {
  const chosen = page.locator(".choice input:checked");
  while ((await chosen.count()) > 0) await chosen.first().uncheck();
}

/** Chooses a form of the list and waits until its files are there. */
export async function prepare(page, form) {
  await take(page, "Save as");
  await page.getByLabel("Format").selectOption(form);
  await page.locator(".apply").click();
  await settled(page);
}

/** Waits until nothing is asked of the worker any more: lists are there, and what a tool would do. */
export async function calm(page) {
  await page.locator('main[aria-busy="false"]').waitFor();
  await page.locator('.preview[aria-busy="false"] .totals').waitFor({ state: "attached" });
  await page.locator(".stage picture-view, .stage data-table").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => /\d/.test(document.querySelector("#table-weights .amount").textContent));
  await judged(page);
}

/** Waits until the page knows whether TensorFlow would refuse the model. */
export async function judged(page) {
  await page.locator(".model-card:not([data-judging])").waitFor({ state: "attached" });
}

/** Looks at something again and again until it fits, and returns it; the page draws between. */
export async function until(page, look, fits) {
  let found;
  for (const end = Date.now() + kPatience; Date.now() < end;) {
    found = await look();
    if (fits(found)) return found;
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  return assert.fail(JSON.stringify(found));
}

export async function settled(page) {
  await page.locator('main[aria-busy="false"]').waitFor();
  const failure = page.locator(".failure");
  if (await failure.count()) throw new Error(await failure.textContent());
}

/** Presses the mouse twice, or a finger: a tenth of a second apart by the events' own clock, however busy the machine is. */
export async function pressTwice(page, [x, y], byTouch = false) {
  const session = await page.context().newCDPSession(page);
  const start = Date.now() / 1000;
  for (const i of [0, 1]) {
    for (const isDown of [true, false]) {
      const timestamp = start + i / 10;
      const touch = { type: isDown ? "touchStart" : "touchEnd", touchPoints: isDown ? [{ x, y }] : [], timestamp };
      const type = isDown ? "mousePressed" : "mouseReleased";
      const mouse = { type, x, y, button: "left", clickCount: i + 1, timestamp };
      await session.send(...(byTouch ? ["Input.dispatchTouchEvent", touch] : ["Input.dispatchMouseEvent", mouse]));
    }
  }
  await session.detach();
}

/* global FileReaderSync -- of the worker */
/** Holds the worker in its next read after so many bytes, for ever: what runs then does not end before it is canceled. */
export function holdReading(page, most) {
  return page.workers()[0].evaluate((bytes) => {
    const { readAsArrayBuffer } = FileReaderSync.prototype;
    let left = bytes;
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      left -= blob.size;
      const shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      if (left < 0) Atomics.wait(new Int32Array(shared.buffer), 0, 0);
      return readAsArrayBuffer.call(this, blob);
    };
  }, most);
}

/** All files offered, downloaded: name -> bytes. */
export async function downloadAll(page) {
  const files = {};
  for (const link of await page.locator("a.download").all()) {
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    files[download.suggestedFilename()] = readFileSync(await download.path());
  }
  return files;
}

/** Returns the title of the result's card. */
export const result = (page) => page.locator("#result-title").textContent();
export const nameOf = (page) => page.locator("#model-title").textContent();
export const status = (page) => page.locator('[role="status"]').textContent();

/** Waits until the service worker has the page's files, and visits the page again without a network. */
export async function visitAgainOffline(page) {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== "activated")
      await new Promise((done) => active.addEventListener("statechange", done, { once: true }));
  });
  await page.context().setOffline(true);
  await page.reload();
}
