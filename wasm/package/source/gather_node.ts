import { openSync, readSync, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { cannotRead, failure } from "../base/errors.js";
import { kMostStreamed } from "./gather.js";
import type { Entry, Gathered } from "./entry.js";
import { closeQuietly } from "./source_node.js";

/** More files than any model has, and fewer than a whole disk. */
const kMostFiles = 20_000;
const kStreamStep = 1 << 20;

/** The names that were found. Those that begin with `stem` are kept beyond the limit. */
class Names {
  readonly all = new Set<string>();
  stem = "";
  capped = "";
  #counted = 0;

  add(folder: string, name: string): void {
    const near = this.stem !== "" && name.startsWith(this.stem);
    if (!near && this.#counted >= kMostFiles) this.capped = folder;
    else if (!this.all.has(name)) {
      this.all.add(name);
      if (!near) this.#counted++;
    }
  }

  get full(): boolean {
    return this.capped !== "" && this.stem === "";
  }
}

/**
 * The files in which a path's model may be, none of them opened: everything below a folder; for a file or a checkpoint's prefix
 * what is next to it, and what is next to `checkpoint`. `-` is standard input: it and a `path` that is a pipe are read whole. They
 * are named as the path was written: "models/model.ckpt" gives "models/model.ckpt.index". Of a folder 20,000 are taken, and all
 * whose names begin as that of `path` does. Whether there is a model is for the core to say.
 */
export async function gatherPath(path: string, checkpoint?: string): Promise<Gathered> {
  const names = new Names();
  const entries: Entry[] = [];
  const status = path === "-" ? null : await statusOf(path);
  const streamed = path === "-" || status?.isFIFO() || status?.isCharacterDevice();
  if (streamed) {
    entries.push({ name: path, data: readStream(path) });
  } else if (status?.isDirectory()) {
    await readdir(path).catch(cannotRead(path));
    await addBelow(path.endsWith("/") ? path : `${path}/`, names);
  } else {
    await addSiblings(path, names);
    await addSavedModelParts(path, names);
    if (status) names.all.add(path);
  }
  if (checkpoint !== undefined) await addSiblings(checkpoint, names);
  for (const name of [...names.all].sort(byName)) entries.push({ name, data: { path: name } });
  return { entries, path: status?.isDirectory() ? "" : path, capped: names.capped };
}

async function statusOf(path: string): Promise<Stats | null> {
  return stat(path).catch(unless(["ENOENT", "ENOTDIR"], path, null));
}

// Returns a handler for `catch`: gives `otherwise` for an error of these codes. Fails with "read-failed" for any other.
function unless<T>(codes: readonly string[], path: string, otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => (codes.includes(error.code ?? "") ? otherwise : cannotRead(path)(error));
}

// Waits for the end of a stream in this thread, so that a signal ends the process at once.
function readStream(path: string): Uint8Array {
  const descriptor = path === "-" ? 0 : openSync(path, "r");
  const step = Buffer.allocUnsafe(kStreamStep);
  const steps: Buffer[] = [];
  try {
    for (let size = 0; ;) {
      const count = readSome(descriptor, step);
      if (count === 0) return Buffer.concat(steps, size);
      steps.push(Buffer.from(step.subarray(0, count))); // a pipe gives less than a step
      size += count;
      if (size > kMostStreamed)
        throw failure("too-large", "a stream of more than 1.1 GB", "save it as a file, and name that");
    }
  } finally {
    if (descriptor !== 0) closeQuietly(descriptor);
  }
}

function readSome(descriptor: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, into, 0, into.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0; // Windows
      if (code !== "EAGAIN") return cannotRead("-")(error as Error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

async function addSiblings(path: string, names: Names): Promise<void> {
  const slashed = slashes(path);
  const folder = slashed.slice(0, slashed.lastIndexOf("/") + 1);
  const dot = slashed.lastIndexOf(".");
  names.stem = dot > folder.length ? slashed.slice(0, dot) : slashed;
  await addFiles(folder, names);
}

/** Adds the files in a SavedModel's folders, if the SavedModel is given by its message's file. */
async function addSavedModelParts(path: string, names: Names): Promise<void> {
  const folder = /^(.*\/)?saved_model\.pb(txt)?$/.exec(slashes(path));
  if (folder === null) return;
  for (const part of ["variables/", "assets/", "assets.extra/", "debug/"])
    await addBelow(`${folder[1] ?? ""}${part}`, names);
}

async function addBelow(prefix: string, names: Names): Promise<void> {
  for (const folder of await addFiles(prefix, names)) await addBelow(`${prefix}${folder}/`, names);
}

/** Adds the files of one folder and returns the names of its folders. A folder that is missing or may not be read has none. */
async function addFiles(prefix: string, names: Names): Promise<string[]> {
  const items = await readdir(prefix || ".", { withFileTypes: true }).catch(
    unless(["ENOENT", "ENOTDIR", "EACCES"], prefix, []),
  );
  for (const item of items) {
    if (names.full) return [];
    if (item.isFile() || (item.isSymbolicLink() && (await isFile(join(prefix, item.name)))))
      names.add(prefix || ".", prefix + item.name);
  }
  return items.filter((item) => item.isDirectory()).map(({ name }) => name);
}

function byName(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isFile(), unless(["ENOENT", "ENOTDIR", "EACCES", "ELOOP"], path, false));
}

function slashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
