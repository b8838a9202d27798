// Helpers for the tests: a browser for a file of tests, the native program, and places for files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { launch, openPage, root, serve } from "./browser.mjs";

export const sample = join(root, "web/samples/digits");
export const data = join(root, "tests/data");
export const corpus = resolve(root, "../shared/corpus");
const kNative = process.env.CRYOGRAPH_NATIVE ?? join(root, "build/release/cryograph");

/**
 * Returns `{page(t, options)}`: a fresh page, which must request nothing but its own files and complain of nothing.
 * Without options all tests share one tab, which is loaded again for each, because that takes a fraction of the time;
 * it keeps nothing, and has no service worker.
 */
export function withBrowser() {
  let server, browser;
  let tab = null,
    taken = false;
  async function visited() {
    taken = true;
    tab ??= await withoutServiceWorker(await openPage(browser, "about:blank"));
    Object.values(tab.seen).forEach((list) => list.splice(0));
    await tab.goto(server.address);
    return tab;
  }
  async function left(own) {
    if (own) return own.context().close();
    await tab.unrouteAll();
    await tab.evaluate(forgetAll);
    await tab.goto("about:blank");
    taken = false;
  }
  before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
  after(async () => {
    await browser?.close();
    server?.close();
  });
  return {
    async page(t, options) {
      const own = options || taken ? await openPage(browser, server.address, options) : null;
      const page = own ?? (await visited());
      t.after(async () => {
        const ofPage = (url) => url.startsWith(server.address) || url.startsWith("blob:");
        const foreign = page.seen.requests.filter((url) => !ofPage(url));
        await left(own);
        assert.deepEqual(foreign, []);
        assert.deepEqual(page.seen.complaints, []);
      });
      return page;
    },
  };
}

async function withoutServiceWorker(page) {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  return page;
}

// In the page: what it keeps from one visit to the next.
async function forgetAll() {
  localStorage.clear();
  const folder = await navigator.storage.getDirectory();
  for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true });
}

/** In the page: "Save to folder…" is given one of the page's own, for the system's dialog cannot be driven. */
export const chooseOwnFolder = () => {
  window.showDirectoryPicker = async () =>
    (await navigator.storage.getDirectory()).getDirectoryHandle("chosen", { create: true });
};

export function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "cryograph-e2e-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns the files that the native program writes, by name. `path`: a path, or options that replace it. */
export function native(t, verb, path, out, ...options) {
  const folder = scratch(t);
  // From within the folder: what is written may hold the name that it was written under.
  const all = [verb, ...[path].flat(), "-o", out, ...options];
  const { status, stderr } = spawnSync(kNative, all, { encoding: "utf8", cwd: folder });
  assert.equal(status, 0, stderr);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** The path of the sample, frozen. */
export function frozenDigits(t, name = "digits.pb") {
  const path = join(scratch(t), name);
  writeFileSync(path, native(t, "freeze", join(sample, "model.ckpt.meta"), name, "--outputs", "probabilities")[name]);
  return path;
}

/** The same names and the same bytes. */
export function same(ours, theirs) {
  assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
  for (const name of Object.keys(theirs)) assert.ok(ours[name].equals(theirs[name]), `${name} differs`);
}

/** The files of a checkpoint with its .meta. */
export function checkpointFiles(folder, prefix) {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${prefix}.`))
    .map((name) => join(folder, name));
}

export const missing = (path) => (existsSync(path) ? false : `${path} is not here`);
