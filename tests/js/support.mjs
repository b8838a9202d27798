// Helpers for the tests: paths of models, places to write to, and the two command lines.
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { after } from "node:test";

export const root = resolve(import.meta.dirname, "../..");
export const data = join(root, "tests/data");
export const sample = join(root, "web/samples/digits");
export const corpus = resolve(root, "../shared/corpus");
export const fixtures = JSON.parse(readFileSync(join(data, "fixtures.json"), "utf8"));

const kNative = process.env.CRYOGRAPH_NATIVE ?? join(root, "build/release/cryograph");

/** A folder of the test's own, gone after it. */
export function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "cryograph-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The npm command: {status, stdout, stderr}. */
export function command(args, options = {}) {
  return spawnSync(process.execPath, [join(root, "dist/cli.js"), ...args], { encoding: "utf8", ...options });
}

/** Returns the npm command in one process for a file of tests, which takes one command line at a time. */
export function commandHost() {
  const host = fork(join(import.meta.dirname, "command_host.mjs"), { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  after(() => host.kill());
  return async (words, { cwd = root } = {}) => {
    host.send({ words, folder: cwd });
    const [result] = await once(host, "message");
    return result;
  };
}

/** The native program, the same way. */
export function native(args, options = {}) {
  if (!existsSync(kNative)) throw new Error(`${kNative} is not built`);
  return spawnSync(kNative, args, { encoding: "utf8", ...options });
}

/** The names of a folder's files that this process has open (Linux). All descriptors are no measure: Node opens and closes its own
 * at any time. */
export function openedIn(folder) {
  const parent = realpathSync(folder);
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(join("/proc/self/fd", descriptor));
      return dirname(path) === parent ? [basename(path)] : [];
    } catch {
      return []; // closed by now, as the one that listed them is
    }
  });
}

/** All files below a folder: path -> bytes. */
export function filesIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path))]));
}

/** Every folder below `folder` that holds a .meta with its checkpoint. */
export function metaFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".meta") && existsSync(join(folder, path.replace(/\.meta$/, ".index"))))
    .map((path) => join(folder, path))
    .sort();
}
