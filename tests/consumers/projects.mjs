// Projects in folders of their own under build/consumers, each with packed packages installed.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { chromium } from "playwright-core";
import { root, sample } from "../js/support.mjs";

export const tools = join(root, "build/consumers");
const kTypes = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};
const kArguments = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--allow-file-access-from-files=false",
];

const kPatience = 120_000; // ms: ends what hangs; a development server takes 3 s to compile its first page
export const kPacked = join(tools, "packed.json");
export const kFrozen = join(tools, "frozen.pb");
/** A folder in which pack.mjs installed `cryograph` alone. */
export const kInstalled = join(tools, "installed");

/** The packages that `cryograph` works without. */
export const kOthers = ["cryograph-page", "cryograph-inline"];

export function tool(name) {
  return join(tools, "node_modules/.bin", name);
}

export function run(command, args, options = {}) {
  return execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });
}

/** Returns the packages that pack.mjs packed: name -> {path, files, size, unpackedSize}. */
export function packed() {
  return JSON.parse(readFileSync(kPacked, "utf8"));
}

/** Checks that each of `count` results is the frozen sample. */
export function check(results, count) {
  const expected = readFileSync(kFrozen);
  assert.equal(results.length, count);
  for (const bytes of results)
    assert.ok(
      typeof bytes !== "string" && expected.equals(Buffer.from(bytes)),
      `not the frozen sample: ${String(bytes).slice(0, 900)}`,
    );
}

/**
 * Returns the folder of a project, fresh, with packages (tarballs) installed and the sample next to them. `place`: the
 * folder that it is in. Below build/consumers it also finds the tools, and the packages that the checkout has; `cryograph` alone
 * is copied there as npm installed it once, and elsewhere npm installs it. `source`: the folder with its files.
 */
export function project(name, tarballs, place = tools, source = join(import.meta.dirname, "projects", name)) {
  const folder = join(place, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true });
  cpSync(join(import.meta.dirname, "projects/freeze.mjs"), join(folder, "freeze.mjs"));
  mkdirSync(join(folder, "sample"));
  for (const file of readdirSync(sample))
    if (file.startsWith("model.ckpt")) cpSync(join(sample, file), join(folder, "sample", file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true }));
  if (typeof tarballs === "string" && folder.startsWith(tools)) {
    const { dependencies } = JSON.parse(readFileSync(join(kInstalled, "package.json"), "utf8"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, dependencies }));
    cpSync(join(kInstalled, "node_modules"), join(folder, "node_modules"), { recursive: true });
  } else {
    install(folder, [tarballs].flat());
  }
  return folder;
}

/** Installs packages in a folder as a person does. */
export function install(folder, tarballs) {
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", ...tarballs], { cwd: folder });
}

/** Returns `window.result` of a page of the folder. `address`: of the page; else the folder is served. */
export async function inBrowser(folder, address = null) {
  const server = address ? null : await serve(folder);
  return withPage(address ?? `http://127.0.0.1:${server.address().port}/index.html`).finally(() => server?.close());
}

/** Starts a program that serves a project, and returns its address when it prints one. The program ends with the test. */
export function devServer(t, program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  t.after(() => process.kill(-child.pid));
  let said = "";
  return new Promise((done, failed) => {
    const hear = (text) => {
      said += stripVTControlCharacters(String(text));
      const [, port] = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)|"port":(\d+)/.exec(said)?.filter(Boolean) ?? [];
      if (port) done(`http://127.0.0.1:${port}`);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (status) => failed(new Error(`ended with ${status}: ${said}`)));
  });
}

async function withPage(address) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: kArguments,
    timeout: kPatience,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(kPatience);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(address);
    await page.waitForFunction("window.result").catch((error) => {
      throw new Error(`${error}: ${complaints}`);
    });
    return await page.evaluate("window.result");
  } finally {
    await browser.close();
  }
}

/** Serves a folder, to pages of every origin. */
export function serve(folder) {
  const server = createServer((request, response) => {
    try {
      const name = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
      const bytes = readFileSync(join(folder, name));
      const type = kTypes[extname(name)] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": type, "Access-Control-Allow-Origin": "*" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}
