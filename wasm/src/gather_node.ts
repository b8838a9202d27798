import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Entry, Gathered } from "./gather.js";

/** Nobody's model has as many files; a whole disk has. */
const kMostFiles = 20_000;

/**
 * The files in which a path's model may lie, none of them opened: everything below a folder; for a file or a checkpoint's
 * prefix what lies beside it, and what lies beside `checkpoint`; `-` is standard input. They are named as the path was
 * written: "models/model.ckpt" gives "models/model.ckpt.index". Whether there is a model is for the core to say.
 */
export async function gatherPath(path: string, checkpoint?: string): Promise<Gathered> {
  const names = new Set<string>();
  const entries: Entry[] = [];
  let asked = path;
  if (path === "-") {
    entries.push({ name: "-", data: readFileSync(0) });
  } else if (await isFolder(path)) {
    asked = "";
    await addBelow(path.endsWith("/") ? path : `${path}/`, names);
  } else {
    await addSiblings(path, names);
    await addSavedModelParts(path, names);
    if (await isThere(path)) names.add(path);
  }
  if (checkpoint !== undefined) await addSiblings(checkpoint, names);
  for (const name of [...names].sort(byName)) entries.push({ name, data: { path: name } });
  return { entries, path: asked };
}

async function addSiblings(path: string, names: Set<string>): Promise<void> {
  const slashed = slashes(path);
  await addFiles(slashed.slice(0, slashed.lastIndexOf("/") + 1), names);
}

/** Of a SavedModel that is named by its message's file, what lies in the folders beside that. */
async function addSavedModelParts(path: string, names: Set<string>): Promise<void> {
  const folder = /^(.*\/)?saved_model\.pb(txt)?$/.exec(slashes(path));
  if (folder === null) return;
  for (const part of ["variables/", "assets/", "assets.extra/", "debug/"]) await addBelow(`${folder[1] ?? ""}${part}`, names);
}

async function addBelow(prefix: string, names: Set<string>): Promise<void> {
  for (const folder of await addFiles(prefix, names)) await addBelow(`${prefix}${folder}/`, names);
}

/** Adds the files of one folder and gives the names of its folders. What cannot be read has none. */
async function addFiles(prefix: string, names: Set<string>): Promise<string[]> {
  const items = await readdir(prefix || ".", { withFileTypes: true }).catch(() => []);
  for (const item of items) {
    if (names.size >= kMostFiles) return [];
    if (item.isFile() || (item.isSymbolicLink() && (await isFile(join(prefix, item.name))))) names.add(prefix + item.name);
  }
  return items.filter((item) => item.isDirectory()).map(({ name }) => name);
}

function byName(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isDirectory(), () => false);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isFile(), () => false);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}

function slashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
