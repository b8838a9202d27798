import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { failure } from "./errors.js";
import type { Entry, Gathered } from "./gather.js";

/** Nobody's model has as many files; a whole disk has. */
const kMostFiles = 100_000;

/**
 * The candidate files of a path, none of them opened: everything below a directory; for a file or a checkpoint's prefix
 * what lies beside it; `-` is standard input. Whether the path names a model is for the core to say.
 */
export async function gatherPath(path: string, checkpoint?: string): Promise<Gathered & { checkpoint?: string }> {
  if (path === "-") return { entries: [{ name: "-", data: readFileSync(0) }], path: "-" };
  const folder = (await isDirectory(path)) ? path : dirname(path);
  const entries = await filesIn(folder, folder === path);
  const gathered = { entries, path: folder === path ? "" : basename(path) };
  if (checkpoint === undefined) return gathered;
  return { ...gathered, checkpoint: await addCheckpoint(entries, folder, checkpoint) };
}

// A checkpoint that lies elsewhere is named from the model's folder: "../weights/model.ckpt".
async function addCheckpoint(entries: Entry[], folder: string, checkpoint: string): Promise<string> {
  const home = (await isDirectory(checkpoint)) ? checkpoint : dirname(checkpoint);
  const known = new Set(entries.map(({ name }) => name));
  for (const { name, data } of await filesIn(home, false)) {
    const seen = slashes(relative(folder, join(home, name)));
    if (!known.has(seen)) entries.push({ name: seen, data });
  }
  return slashes(relative(folder, checkpoint));
}

async function filesIn(folder: string, below: boolean): Promise<Entry[]> {
  const entries: Entry[] = [];
  await walk(folder, "", below, entries);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function walk(folder: string, prefix: string, below: boolean, into: Entry[]): Promise<void> {
  for (const item of await list(folder)) {
    const path = join(folder, item.name);
    const name = prefix + item.name;
    if (item.isDirectory()) {
      if (below) await walk(path, `${name}/`, below, into);
    } else if (item.isFile() || (item.isSymbolicLink() && (await isFile(path)))) {
      into.push({ name, data: { path } });
    }
  }
  if (into.length > kMostFiles) {
    throw failure("too-many-files", `More than ${kMostFiles} files below ${folder}`, "name the model itself");
  }
}

async function list(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw failure("not-readable", `${folder} could not be read: ${(error as Error).message}`, "check the path", error);
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isDirectory(), () => false);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isFile(), () => false);
}

function slashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
