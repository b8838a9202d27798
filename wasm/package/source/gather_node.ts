import { openSync, readSync, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { cannotRead, failure } from "../base/errors.js";
import { kMaxStreamed } from "./gather.js";
import type { GatheringBinding } from "../core/binding.js";
import type { Core } from "../core/core.js";
import type { Gathered, Near } from "./entry.js";
import { closeQuietly } from "./source_node.js";

const kStreamStep = 1 << 20;

/**
 * Takes a path: `-`, which is standard input, and a pipe are read whole now; which files belong to another is for the core to say
 * (withNear). They are named as the path was written: "models/model.ckpt" gives "models/model.ckpt.index".
 */
export async function gatherPath(given: string, checkpoint?: string): Promise<Gathered> {
  const path = slashes(given);
  const status = path === "-" ? null : await statusOf(path);
  if (path === "-" || status?.isFIFO() || status?.isCharacterDevice())
    return { entries: [{ name: path, data: readStream(path) }], path, near: { checkpoint } };
  if (!status?.isDirectory()) return { entries: [], path, near: { file: path, isThere: status !== null, checkpoint } };
  await readdir(path).catch(cannotRead(path));
  return { entries: [], path: "", near: { folder: path, checkpoint } };
}

/** Returns what was gathered with the files around its path that the core wants. None of them is opened. */
export async function withNear(core: Core, gathered: Gathered): Promise<Gathered> {
  const { near, entries, path } = gathered;
  if (!near) return gathered;
  const gathering = core.call((binding) => binding.gathering());
  const next = () => core.call(() => gathering.next());
  try {
    core.call(() => begin(gathering, near));
    for (let folder = next(); folder !== null; folder = next()) {
      const [files, folders] = await inFolder(folder);
      core.call(() => gathering.add(files, folders));
    }
    const found = core.call(() => gathering.files()).map((name) => ({ name, data: { path: name } }));
    return { entries: [...entries, ...found], path, capped: core.call(() => gathering.capped()) };
  } finally {
    core.free(gathering);
  }
}

function begin(gathering: GatheringBinding, { file, isThere, folder, checkpoint }: Near): void {
  if (folder !== undefined) gathering.addBelow(folder);
  if (file !== undefined) gathering.addSiblings(file);
  if (file !== undefined && isThere) gathering.addFile(file);
  if (checkpoint !== undefined) gathering.addSiblings(slashes(checkpoint));
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
      if (size > kMaxStreamed)
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

/** Returns the names of a folder's files and of its folders. A folder that is missing or may not be read has none. */
async function inFolder(folder: string): Promise<[files: string[], folders: string[]]> {
  const items = await readdir(folder || ".", { withFileTypes: true }).catch(
    unless(["ENOENT", "ENOTDIR", "EACCES"], folder, []),
  );
  const files: string[] = [];
  for (const item of items)
    if (item.isFile() || (item.isSymbolicLink() && (await isFile(join(folder, item.name))))) files.push(item.name);
  return [files, items.filter((item) => item.isDirectory()).map(({ name }) => name)];
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isFile(), unless(["ENOENT", "ENOTDIR", "EACCES", "ELOOP"], path, false));
}

function slashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
