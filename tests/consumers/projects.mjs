// Projects in folders of their own under build/consumers, each with packed packages installed.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
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

/** Packs the packages as they would be published: name -> {path, files, size, unpackedSize}. */
export function pack() {
  const folders = [root, ...kOthers.map((name) => join(root, "build/packages", name))];
  const all = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", tools, ...folders], { cwd: root }));
  return Object.fromEntries(all.map((about) => [about.name, { ...about, path: join(tools, about.filename) }]));
}

/**
 * Returns the folder of a project, fresh, with packages (tarballs) installed and the sample next to them. `place`: the
 * folder that it is in. Below build/consumers it also finds the tools, and the packages that the checkout has.
 */
export function project(name, tarballs, place = tools) {
  const folder = join(place, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(import.meta.dirname, "projects", name), folder, { recursive: true });
  cpSync(join(import.meta.dirname, "projects/freeze.mjs"), join(folder, "freeze.mjs"));
  mkdirSync(join(folder, "sample"));
  for (const file of readdirSync(sample))
    if (file.startsWith("model.ckpt")) cpSync(join(sample, file), join(folder, "sample", file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", ...[tarballs].flat()], {
    cwd: folder,
  });
  return folder;
}

/** Returns `window.result` of a page of the folder. `address`: of the page; else the folder is served. */
export async function inBrowser(folder, address = null) {
  const server = address ? null : await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: kArguments,
  });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(address ?? `http://127.0.0.1:${server.address().port}/index.html`);
    await page.waitForFunction("window.result", null, { timeout: 15000 }).catch((error) => {
      throw new Error(`${error}: ${complaints}`);
    });
    return await page.evaluate("window.result");
  } finally {
    await browser.close();
    server?.close();
  }
}

function serve(folder) {
  const server = createServer((request, response) => {
    try {
      const name = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
      const bytes = readFileSync(join(folder, name));
      response.writeHead(200, { "Content-Type": kTypes[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}
