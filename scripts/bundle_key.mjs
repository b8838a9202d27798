// Keys by content: of all that scripts/bundle.mjs reads, and of all that it makes. While both are those of its last run, there is
// nothing to do.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const kSources = [
  "scripts/bundle*.mjs",
  "wasm",
  "web",
  "docs",
  "tests/data",
  "core/graph/*.bin",
  "core/graph/*.json",
  "package.json",
  "LICENSE",
  "THIRD-PARTY-NOTICES.md",
];
const kCore = /\.(mjs|wasm)$/;
const kScript = /\.(js|d\.ts)$/;
const kData = /\/(ops|releases)\.js$/;
const kAbout = /\/[\w-]+\/(package\.json|index\.d\.ts)$/;
const kMade = [
  "dist",
  "build/web",
  "build/packages",
  "build/cryograph.html",
  "build/bundled_packages.json",
  "build/scripts.key",
];
const kLinks = ["node_modules/cryograph-page", "node_modules/cryograph-inline"];

/** Returns a hash; null without Git, which lists the sources. `core`: the folder of core.mjs and core.wasm. */
export function inputsKey(root, core) {
  const listed = (...args) => {
    const names = execFileSync("git", ["ls-files", "-coz", "--exclude-standard", ...args], { cwd: root });
    return String(names).split("\0").filter(Boolean);
  };
  try {
    const made = readdirSync(core).filter((name) => kCore.test(name));
    const files = [...listed("--", ...kSources), "node_modules/.installed-lock"].map((name) => join(root, name));
    // All names, too: a link of the documentation may lead to any file.
    const names = listed().filter((name) => existsSync(join(root, name)));
    return hash([process.version, core, ...names], [...files, ...made.map((name) => join(core, name))]);
  } catch {
    return null;
  }
}

/** Returns a hash; null if a part of it is missing. */
export function outputsKey(root) {
  if (![...kMade, ...kLinks].every((name) => existsSync(join(root, name)))) return null;
  return hash(
    [],
    kMade.flatMap((name) => filesBelow(join(root, name))),
  );
}

/**
 * Returns a hash of what bundlers and runtimes see of the packages: scripts, types and package.json, without the WebAssembly and
 * the data, in which they do not look.
 */
export function scriptsKey(root) {
  const scripts = filesBelow(join(root, "dist")).filter((path) => kScript.test(path) && !kData.test(path));
  const abouts = filesBelow(join(root, "build/packages")).filter((path) => kAbout.test(path));
  return hash([], [...scripts, ...abouts, join(root, "package.json")]);
}

function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true }).sort();
  return names.map((name) => join(path, name)).filter((each) => statSync(each).isFile());
}

function hash(words, files) {
  const digest = createHash("sha256").update(JSON.stringify(words));
  for (const file of files) if (existsSync(file)) digest.update(`\n${file}\n`).update(readFileSync(file));
  return digest.digest("hex");
}
