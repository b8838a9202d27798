// The page as it is felt, in Chromium, next to Netron on the same models in the same run.
//
//     node tests/bench/page.mjs
//
// NETRON: the command of Netron (PyPI: netron); without it only the page is measured. Each figure is the median of several
// runs. Nothing is asserted: machines are noisy.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { give, launch, openPage, root, serve, showTable } from "../e2e/browser.mjs";
import { writeSparseGraph } from "../e2e/protobuf.mjs";
import { madeLayout } from "./made_picture.mjs";

const kRuns = 5;
const kPatience = 45_000; // milliseconds until a picture counts as not drawn
const kWork = join(root, "build/bench");
const kNetron = process.env.NETRON ?? "netron";
const kNetronPort = 8089;

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const quantile = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];

function row(what, goal, figure, met) {
  const verdict = met === undefined ? "" : met ? "met" : "MISSED";
  console.log(`${what.padEnd(52)} ${goal.padStart(14)} ${figure.padStart(34)}   ${verdict}`);
}

/** Makes a graph of layers in scopes, which TensorFlow imports. */
function layers(count) {
  const path = join(kWork, `layers_${count}.pb`);
  const make = "import sys, models; models.layers(sys.argv[1], int(sys.argv[2]))";
  if (!existsSync(path)) spawnSync("python3", ["-c", make, path, String(count)], { cwd: import.meta.dirname });
  return path;
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Returns the median of what a few runs of `open` return, in seconds, each in a fresh page that is ready; null if one takes
 * longer than the patience. `open`: milliseconds.
 */
async function seconds(browser, address, ready, open) {
  const times = [];
  for (let i = 0; i < kRuns; ++i) {
    const page = await openPage(browser, address);
    page.setDefaultTimeout(kPatience);
    try {
      await ready(page);
      times.push(await open(page));
    } catch {
      return null;
    } finally {
      await page.context().close();
    }
  }
  return median(times) / 1000;
}

// Milliseconds of the page's own clock, from the file's arrival until the picture is laid out.
const inCryograph = (path) => async (page) => {
  await page.evaluate(() =>
    addEventListener("change", () => (window.arrival_ = performance.now()), { capture: true, once: true }),
  );
  const shown = page.waitForFunction(() => {
    return document.querySelector("picture-view")?.description && performance.now() - window.arrival_;
  });
  await give(page, path);
  return (await shown).jsonValue();
};
// Milliseconds of this program's clock, some 40 more: Netron forbids eval, which Playwright's functions need. Locators do
// without.
const inNetron = (path) => (page) =>
  timed(async () => {
    await page.locator("#open-file-dialog").setInputFiles(path);
    await page.locator("body.default").waitFor();
    await page.locator("#target .node").first().waitFor({ state: "attached" });
  });
// A person has the page for a second before the drop.
const idle = (page) => page.waitForTimeout(1000);
const acceptCookies = (page) => page.getByText("Accept").click();

async function startNetron() {
  const server = spawn(kNetron, ["--port", String(kNetronPort), "--host", "127.0.0.1"], { stdio: "ignore" });
  const failed = new Promise((done) => server.on("error", () => done(null)));
  const address = `http://127.0.0.1:${kNetronPort}/`;
  const answers = async () => {
    for (let i = 0; i < 50; ++i) {
      const there = await fetch(address).catch(() => null);
      if (there?.ok) return { address, close: () => server.kill() };
      await new Promise((done) => setTimeout(done, 100));
    }
    return null;
  };
  return Promise.race([failed, answers()]);
}

async function firstPictures(browser, ours, netron) {
  for (const count of [300, 600, 1500, 2850, 20_000]) {
    const path = layers(count);
    const here = await seconds(browser, ours, idle, inCryograph(path));
    const there = netron && (await seconds(browser, netron, acceptCookies, inNetron(path)));
    const said = (value) => (value === null ? `none after ${kPatience / 1000} s` : `${value.toFixed(2)} s`);
    const figure = netron ? `${said(here)}, Netron ${said(there)}` : said(here);
    row(
      `first picture, ${count} nodes`,
      count === 20_000 ? "0.3 s" : "-",
      figure,
      count === 20_000 ? here <= 0.3 : undefined,
    );
  }
}

/** The times between frames while the picture is moved and zoomed, with the wheel and the pointer by turns. */
async function frames(page) {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const next = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.moving_ = requestAnimationFrame(next);
    };
    window.moving_ = requestAnimationFrame(next);
  });
  const box = await page.locator("picture-view").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  for (let i = 0; i < 60; ++i) await page.mouse.wheel(0, i % 20 < 10 ? -120 : 120);
  await page.keyboard.down("Control");
  for (let i = 0; i < 60; ++i) await page.mouse.wheel(0, i % 20 < 10 ? -3 : 3);
  await page.keyboard.up("Control");
  await page.mouse.down();
  for (let i = 0; i < 60; ++i) await page.mouse.move(x + (i % 30) * 8, y + (i % 20) * 8);
  await page.mouse.up();
  return page.evaluate(() => {
    cancelAnimationFrame(window.moving_);
    return window.frames_.slice(2);
  });
}

/** Measures, with the page's own clock, from the request for the page until its scripts have run, and it listens. */
async function interactive(browser, ours) {
  const times = [];
  for (let i = 0; i < kRuns; ++i) {
    const page = await browser.newPage();
    await page.goto(ours);
    times.push(
      await page.evaluate(() => {
        if (!document.querySelector("input[type=file]")) throw new Error("there is nothing to choose files with");
        return performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd;
      }),
    );
    await page.close();
  }
  const taken = median(times) / 1000;
  row("the page is interactive", "0.3 s", `${taken.toFixed(2)} s`, taken <= 0.3);
}

/** Measures, with the page's own clock, from a file's arrival until the summary of its model is there. */
async function opening(browser, ours) {
  const path = join(kWork, "hundred.pb");
  writeSparseGraph(path, 25_000);
  const taken = await seconds(browser, ours, idle, async (page) => {
    await give(page, path);
    return (await page.waitForFunction(() => performance.getEntriesByName("open")[0]?.duration)).jsonValue();
  });
  row("the summary of a model of 100 MB", "0.3 s", `${taken.toFixed(2)} s`, taken <= 0.3);
}

async function moving(browser, ours) {
  const page = await openPage(browser, ours);
  page.setDefaultTimeout(kPatience);
  await give(page, layers(50_000));
  await page.waitForFunction(() => document.querySelector("picture-view")?.description);
  const p95 = quantile(await frames(page), 0.95);
  row("pan and zoom, 50,000 nodes, p95 of frames", "16.7 ms", `${p95.toFixed(1)} ms`, p95 <= 16.8);
  await page.context().close();
}

/** Pans and zooms a picture of 50,000 boxes of which the window shows 5,000. */
async function crowded(browser, ours) {
  const page = await openPage(browser, ours);
  page.setDefaultTimeout(kPatience);
  await give(page, layers(300));
  await page.waitForFunction(() => document.querySelector("picture-view")?.description);
  const shown = await page.evaluate(showPart, [JSON.stringify(madeLayout()), 5000]);
  const times = await frames(page);
  const [p95, longest] = [quantile(times, 0.95), Math.max(...times)];
  const figure = `${p95.toFixed(1)} ms, longest ${longest.toFixed(0)} ms`;
  row(`pan and zoom, ${shown} of 50,000 boxes, p95`, "16.7, 50 ms", figure, p95 <= 16.8 && longest <= 50);
  await page.context().close();
}

// In the page: shows about so many boxes of a layout, and returns how many they are.
async function showPart([text, wanted]) {
  const layout = JSON.parse(text);
  const view = document.querySelector("picture-view");
  view.addEventListener("toggle", (event) => event.stopImmediatePropagation(), { capture: true });
  view.drawn = { svg: view.drawn.svg, layout, graph: layout.model };
  await view.updateComplete;
  view.fit(null);
  const { clientWidth, clientHeight } = view;
  const room = (layout.width * layout.height) / layout.boxes.length;
  const scale = Math.sqrt((clientWidth * clientHeight) / (wanted * room));
  const { left, top } = view.getBoundingClientRect();
  const place = { clientX: left + clientWidth / 2, clientY: top + clientHeight / 2, ctrlKey: true, cancelable: true };
  const deltaY = -200 * Math.log(scale / view.description.view.scale);
  view.shadowRoot.querySelector(".window").dispatchEvent(new WheelEvent("wheel", { ...place, deltaY }));
  const at = view.description.view;
  const isIn = (from, length, to) => at.scale * (from + length) > 0 && at.scale * from < to;
  return layout.boxes.filter(
    ({ open, x, y, w, h }) =>
      !open && isIn(x + at.x / at.scale, w, clientWidth) && isIn(y + at.y / at.scale, h, clientHeight),
  ).length;
}

async function typing(browser, ours) {
  const page = await openPage(browser, ours);
  page.setDefaultTimeout(kPatience);
  await give(page, layers(100_000));
  await page.locator(".model-card").waitFor();
  await showTable(page, "Nodes");
  const input = page.locator("#filter");
  await input.waitFor();
  const times = [];
  for (const key of "block_12/layer") {
    times.push(
      await input.evaluate(
        (field, typed) =>
          new Promise((done) => {
            const start = performance.now();
            field.value += typed;
            field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
          }),
        key,
      ),
    );
  }
  row("a key in the filter, 100,000 nodes, median", "50 ms", `${median(times).toFixed(0)} ms`, median(times) <= 50);
  await page.context().close();
}

/** The resident memory of a browser's tabs, in MB. */
async function tabMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const resident = (id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024;
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { id }) => sum + resident(id), 0);
}

async function memory(ours) {
  const browser = await launch();
  const page = await openPage(browser, ours);
  await page.waitForTimeout(1000);
  const before = await tabMemory(browser);
  await inCryograph(layers(20_000))(page);
  await page.waitForTimeout(1000);
  const more = (await tabMemory(browser)) - before;
  row("memory of the tab over the empty page, 20,000 nodes", "150 MB", `${more.toFixed(0)} MB`, more <= 150);
  await browser.close();
}

async function main() {
  mkdirSync(kWork, { recursive: true });
  const [server, browser, netron] = [await serve(), await launch(), await startNetron()];
  if (!netron) console.log("Netron is not measured: NETRON names no command that runs (PyPI: netron)");
  await interactive(browser, server.address);
  await opening(browser, server.address);
  await firstPictures(browser, server.address, netron?.address ?? null);
  await moving(browser, server.address);
  await crowded(browser, server.address);
  await typing(browser, server.address);
  await browser.close();
  await memory(server.address);
  netron?.close();
  server.close();
}

await main();
