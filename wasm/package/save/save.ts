import { type FileHandle, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type OutputFile, partsOf, type SaveOptions as CallerOptions } from "../model/output.js";
import { checksOf, readParts } from "../source/parts.js";
import { discard, keepFolder, makeHeldFolder, PartFile, syncFolder } from "./part_file.js";
import { cannotWrite, checkPlace, findPlace, type Place, refusal } from "./place.js";
import { withBytes } from "../source/missing.js";
import type { HostFile } from "../source/host_file.js";

/** `check`: called before the files are renamed; throws when they must not be. */
type SaveOptions = CallerOptions & { check?: () => void };

/** A file of an output, and its path. */
export interface Placed {
  file: OutputFile;
  target: string;
  /** The folder in which new ones may be made; "": any. */
  root: string;
}

/** Stays in the processor's cache between reading and writing: with 4 MB both take twice as long. */
const kStep = 512 * 1024;

/**
 * Writes files to the disk: each under a random name next to its place, all renamed into their places at the end, so that an
 * output may be an input. On failure nothing is left and nothing is changed: of a set, all files are replaced or none. When it
 * ends without error the disk has everything.
 */
export async function saveAll(files: readonly Placed[], options: SaveOptions): Promise<void> {
  const places = findPlaces(files, options.force !== false);
  const parts: PartFile[] = [];
  const folders: string[] = [];
  let before = 0;
  const onProgress: SaveOptions["onProgress"] = ({ bytes }) => options.onProgress?.({ bytes: before + bytes });
  try {
    for (const [i, { file, target, root }] of files.entries()) {
      await makeFolder(dirname(target), root, folders);
      parts.push(new PartFile(places[i]!));
      await writeFile(file, parts.at(-1)!, { ...options, onProgress });
      before += file.size;
    }
    for (const checks of checksOf(files.flatMap(({ file }) => partsOf(file))).keys())
      await withBytes(options, () => checks.finish(options));
    for (const file of sourcesOf(files)) file.checkUnchanged?.();
    options.check?.();
    renameAll(parts, folders);
    folders.splice(0).forEach(keepFolder);
  } finally {
    for (const part of parts) part.discard();
    for (const folder of folders.reverse()) discard(folder);
  }
}

/** Implements OutputFile.save(): saves one file, to a path or into a folder. */
export async function save(file: OutputFile, path: string, options: SaveOptions = {}): Promise<string> {
  const target = path.endsWith("/") || (await isFolder(path)) ? join(path, file.path) : path;
  await saveAll([{ file, target, root: "" }], options);
  return target;
}

function findPlaces(files: readonly Placed[], force: boolean): Place[] {
  const taken = new Set<string>();
  return files.map(({ target }) => {
    const place = findPlace(target, force);
    if (taken.has(place.path))
      throw refusal("write-failed", target, "another output has the same place", "choose a place without links");
    taken.add(place.path);
    return place;
  });
}

// Without a wait in it: no signal's handler and no other work of this process comes between. After a power loss each file is the
// old or the new one, whole; old ones that were replaced are still there under their other names (.cryograph-*).
function renameAll(parts: readonly PartFile[], folders: readonly string[]): void {
  for (const { place } of parts) checkPlace(place);
  let renamed = 0;
  try {
    for (const part of parts) {
      part.rename();
      renamed++;
    }
    for (const folder of new Set(
      [...parts.filter(({ place }) => !place.stream).map(({ place }) => place.path), ...folders].map(dirname),
    ))
      syncFolder(folder);
  } catch (error) {
    for (const part of parts.slice(0, renamed).reverse()) part.undo();
    throw error;
  }
  for (const part of parts) part.settle();
}

function sourcesOf(files: readonly Placed[]): Set<HostFile> {
  return new Set(
    files.flatMap(({ file }) => partsOf(file).flatMap((part) => (ArrayBuffer.isView(part) ? [] : [part.file]))),
  );
}

// Adds those that were not there to `made`, the outer ones first.
async function makeFolder(folder: string, root: string, made: string[]): Promise<void> {
  if (!`${folder}/`.startsWith(root) || (await isFolder(folder))) return;
  await makeFolder(dirname(folder), root, made);
  try {
    makeHeldFolder(folder);
  } catch (error) {
    cannotWrite(folder, "create the folder")(error as Error);
  }
  made.push(folder);
}

// A step is read while the one before is written.
async function writeFile(file: OutputFile, part: PartFile, options: SaveOptions): Promise<void> {
  const { asked } = part.place;
  const output = await part.open();
  const room = () => new Uint8Array(Math.min(kStep, file.size));
  let written = Promise.resolve();
  try {
    for await (const bytes of readParts(partsOf(file), options, [room(), room()], false)) {
      await written;
      written = writeWhole(output, bytes).catch(cannotWrite(asked, "write"));
      written.catch(() => {}); // it is reported when it is awaited
    }
    await written;
    await part.finish(output);
  } finally {
    await Promise.allSettled([written]);
    await output.close().catch(cannotWrite(asked, "finish writing"));
  }
}

async function writeWhole(output: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await output.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}
