// The memory of the page does not depend on the size of a model. In a browser of its own, whose tab has shown nothing else.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, perform, take } from "./browser.mjs";
import { writeSparseCheckpoint } from "./protobuf.mjs";
import { scratch, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMaxBytes = 150e6;
const kMilliseconds = 20;

test("a model of 3 GB is pruned, saved to a folder, frozen and hashed in less than 150 MB of the tab", async (t) => {
  const page = await browser.loaded(t);
  if (page.workers().length === 0) await page.waitForEvent("worker");
  const within = await memoryAbove(page);
  const takesLittle = async (what, work) => {
    const most = await within(work);
    t.diagnostic(`${what}: at most ${(most / 1e6).toFixed(0)} MB of memory`);
    assert.ok(most > 0 && most < kMaxBytes, `${what}: ${most} bytes`);
  };
  const folder = scratch(t);
  writeSparseCheckpoint(folder, 3);
  await give(
    page,
    readdirSync(folder).map((name) => join(folder, name)),
  );
  await calm(page);
  await takesLittle("pruned", () => perform(page, "Prune")); // stored checksums are compared: all is read once
  assert.match(await page.locator(".downloads").first().textContent(), /data-00000-of-00001\s+3\.00 GB/);
  await page.evaluate(chooseNowhere);
  await takesLittle("saved", async () => {
    await page.getByRole("button", { name: "Save to folder" }).first().click();
    await page.getByText("nowhere.").waitFor();
  });
  await take(page, "Freeze");
  for (const i of [1, 2]) await page.locator(".choice input").nth(i).uncheck(); // of all, the .pb would be more than 2 GiB
  await takesLittle("frozen", () => perform(page, "Freeze"));
  assert.match(await page.locator(".downloads").first().textContent(), /huge\.frozen\.pb\s+1\.00 GB/);
  await takesLittle("hashed", async () => {
    await page.locator(".downloads li").first().getByRole("button").click();
    await page.locator(".hash", { hasText: /^[0-9a-f]{64}$/ }).waitFor();
  });
});

// In the page: "Save to folder…" is given a folder that keeps nothing.
const chooseNowhere = () => {
  const writable = { write: async () => {}, close: async () => {}, abort: async () => {} };
  const folder = {
    name: "nowhere",
    async getFileHandle(_name, { create } = {}) {
      if (create) return { createWritable: async () => writable };
      throw new DOMException("", "NotFoundError");
    },
  };
  window.showDirectoryPicker = async () => folder;
};

/**
 * Returns a function that does work and returns the most memory that the browser's tabs have meanwhile, above what they have
 * now. Units: bytes.
 */
async function memoryAbove(page) {
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  const now = () => tabs.reduce((sum, tab) => sum + residentMemory(tab), 0);
  const before = now();
  return async (work) => {
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, now() - before)), kMilliseconds);
    await work().finally(() => clearInterval(timer));
    return most;
  };
}

// Without the pages of Chromium's own files, which a tab that starts maps one after the other.
function residentMemory(process) {
  const status = `/proc/${process}/status`;
  if (!existsSync(status)) return 0; // a spare tab may end
  const text = readFileSync(status, "utf8");
  const kilobytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)[1]);
  return (kilobytes("RssAnon") + kilobytes("RssShmem")) * 1024;
}
