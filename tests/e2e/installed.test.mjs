// The page as a program of the system: what browsers ask of one that can be installed, and files that the system opens with it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { calm, kArguments, nameOf, root, serve } from "./browser.mjs";
import { sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kManifest = JSON.parse(readFileSync(join(root, "build/web/manifest.webmanifest"), "utf8"));

// Not in a private window, where nothing can be installed.
async function profile(t) {
  const folder = mkdtempSync(join(tmpdir(), "cryograph-profile-"));
  const server = await serve();
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const context = await chromium.launchPersistentContext(folder, { executablePath, args: kArguments });
  t.after(async () => {
    await context.close();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const page = await context.newPage();
  await page.goto(server.address);
  return page;
}

test("the browser finds nothing that would keep the page from being installed", async (t) => {
  const page = await profile(t);
  const session = await page.context().newCDPSession(page);
  const { errors, data, url } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.deepEqual(JSON.parse(data), kManifest);
  assert.ok(url.endsWith("/some/where/manifest.webmanifest"));
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors, []);
});

test("the manifest has what systems show and ask for, all of it within the page's folder", () => {
  const {
    name,
    short_name: shortName,
    description,
    start_url: start,
    scope,
    display,
    icons,
    file_handlers: handlers,
  } = kManifest;
  assert.ok(name && shortName && description);
  assert.equal(display, "standalone");
  assert.deepEqual([start, scope], ["./", "./"]);
  for (const { src } of icons) assert.ok(readFileSync(join(root, "build/web", src)).length > 0);
  assert.ok(icons.some(({ sizes, purpose = "any" }) => sizes === "any" && purpose.includes("any")));
  const endings = handlers.flatMap(({ action, accept }) => {
    assert.equal(action, "./");
    return Object.values(accept).flat();
  });
  for (const ending of [".pb", ".pbtxt", ".meta", ".index", ".npz", ".safetensors"])
    assert.ok(endings.includes(ending), ending);
});

test("the service worker keeps every file of the page, and no more", async (t) => {
  const page = await profile(t);
  const kept = await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const [name, ...others] = await caches.keys();
    const requests = await (await caches.open(name)).keys();
    return { others, paths: requests.map(({ url }) => url.slice(new URL(".", location.href).href.length)).sort() };
  });
  assert.deepEqual(kept.others, []);
  for (const needed of ["", "index.html", "page.js", "style.css", "icon.svg", "manifest.webmanifest"])
    assert.ok(kept.paths.includes(needed), needed);
  assert.ok(!kept.paths.includes("service_worker.js"));
});

// No browser under a test's control can be made to launch an installed page with files. So the browser's queue is replaced before the
// page is loaded, and what the page gave it is called as a launch would: with real handles, of files in the browser's own file system.
test("files that the system opens with the page are opened", async (t) => {
  const page = await browser.own(t);
  await page.addInitScript(() => {
    const queue = {
      setConsumer: (consumer) => {
        window.launch = consumer;
      },
    };
    Object.defineProperty(window, "launchQueue", { value: queue });
  });
  await page.reload();
  await page.evaluate(() => window.launch({ files: [] }));
  assert.equal(await page.locator(".empty").count(), 1);
  const files = ["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"];
  const given = Object.fromEntries(files.map((name) => [name, readFileSync(join(sample, name)).toString("base64")]));
  await page.evaluate(async (all) => {
    const folder = await navigator.storage.getDirectory();
    const handles = await Promise.all(
      Object.entries(all).map(async ([name, text]) => {
        const handle = await folder.getFileHandle(name, { create: true });
        const writable = await handle.createWritable();
        await writable.write(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
        await writable.close();
        return handle;
      }),
    );
    window.launch({ files: handles });
  }, given);
  await calm(page);
  assert.equal(await nameOf(page), "model.ckpt.meta");
  await page.getByText("27 variables, ").waitFor();
});
