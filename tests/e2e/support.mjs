// Helpers for the tests: a browser for a file of tests, the native program, and places for files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, openPage, root, serve } from "./browser.mjs";

export const sample = join(root, "web/samples/digits");
export const data = join(root, "tests/data");
export const corpus = resolve(root, "../shared/corpus");
const kNative = process.env.CRYOGRAPH_NATIVE ?? join(root, "build/release/cryograph");

const kUsual = { viewport: { width: 1280, height: 720 }, colorScheme: null, forcedColors: null, reducedMotion: null };

/**
 * Returns the pages of a file of tests, each of which must request nothing but its own files and complain of nothing:
 *
 * - `page(t, options)`: a tab that the tests share, with nothing open, as after the first load. Options are those of
 *   Playwright's newContext(): with others than of kUsual, or while another page has the tab, it is a window of its own.
 * - `loaded(t)`: the same tab, loaded again: for tests of what is loaded, and those that replace what a browser has.
 * - `own(t, options)`: a window of its own.
 * - `installed(t)`: one with the service worker, which the others do not have.
 */
export function withBrowser() {
  const tab = new SharedTab();
  let server, browser;
  before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
  after(async () => {
    await browser?.close();
    server?.close();
  });
  // `leave`: what ends the use of the page.
  function checked(t, page, leave) {
    t.after(async () => {
      const ofPage = (url) => url.startsWith(server.address) || url.startsWith("blob:");
      const foreign = page.seen.requests.filter((url) => !ofPage(url));
      const complaints = [...page.seen.complaints];
      await leave();
      assert.deepEqual(foreign, []);
      assert.deepEqual(complaints, []);
    });
    return page;
  }
  async function page(t, options = {}, isLoaded = false) {
    if (!tab.isTaken && Object.keys(options).every((name) => name in kUsual)) {
      const taken = await tab.take(browser, server.address, { ...kUsual, ...options }, isLoaded);
      return checked(t, taken, () => tab.leave(server.address, isLoaded));
    }
    return own(t, options);
  }
  async function own(t, options) {
    const window = await withoutServiceWorker(await openPage(browser, "about:blank", options));
    await window.goto(server.address);
    return checked(t, window, () => window.context().close());
  }
  return {
    page,
    loaded: (t) => page(t, {}, true),
    own,
    async installed(t) {
      const window = await openPage(browser, server.address);
      return checked(t, window, () => window.context().close());
    },
    /** A page of the disk, which may request nothing but files of it. */
    async fromDisk(t, path, options) {
      const window = await openPage(browser, pathToFileURL(path).href, options);
      t.after(async () => {
        const foreign = window.seen.requests.filter((url) => !/^(file|blob|data):/.test(url));
        await window.context().close();
        assert.deepEqual(foreign, []);
        assert.deepEqual(window.seen.complaints, []);
      });
      return window;
    },
  };
}

// The tab that tests share, one after the other.
class SharedTab {
  isTaken = false;
  #page = null;
  #isNew = false;

  async take(browser, address, { viewport, ...media }, isLoaded) {
    this.isTaken = true;
    const page = (this.#page ??= await withoutServiceWorker(await openPage(browser, "about:blank")));
    Object.values(page.seen).forEach((list) => list.splice(0));
    await page.setViewportSize(viewport);
    await page.emulateMedia(media);
    if (isLoaded || !this.#isNew) await page.goto(address);
    return page;
  }

  // Loading the page again takes three times as long as closing what is open.
  async leave(address, isLoaded) {
    const page = this.#page;
    this.isTaken = false;
    this.#isNew = false;
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    const isClosed = !isLoaded && (await page.evaluate(closeAll, address));
    await page.evaluate(forgetAll);
    if (!isClosed) await page.goto("about:blank");
    this.#isNew = isClosed;
  }
}

async function withoutServiceWorker(page) {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  return page;
}

// In the page: closes every model, with its results. Returns false if the page is not as after the first load then.
function closeAll(address) {
  const find = (selector) => document.querySelector(selector);
  for (let close; (close = find(".model-tabs .tab-close"));) {
    close.click();
    find("dialog .button.primary")?.click(); // Close without downloading
  }
  history.replaceState(null, "", address);
  document.activeElement.blur();
  const isChanged = find("dialog, .failure, .recipe-card, .promise[open]") !== null;
  const isUsual = find(".theme select").value === "system" && localStorage.getItem("cryograph-letters") !== "off";
  return location.href === address && find('main.start[aria-busy="false"]') !== null && !isChanged && isUsual;
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
