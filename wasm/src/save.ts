import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CryographError } from "./errors.js";
import { type OutputFile, readParts, type SaveOptions } from "./output.js";

/** A file of an output, and where it shall be. */
export interface Placed {
  file: OutputFile;
  target: string;
  /** The folder in which new ones may be made; "": any. */
  root: string;
}

/** Stays in the processor's cache between reading and writing: with 4 MB both take twice as long. */
const kStep = 512 * 1024;

interface Temporary {
  target: string;
  beside: string;
}

let temporaries = 0;

/**
 * Puts files on disk: each is written whole beside its place and all are renamed at the end, so that an output may be an
 * input, and a failure leaves nothing behind and nothing changed.
 */
export async function saveAll(files: readonly Placed[], options: SaveOptions): Promise<void> {
  if (options.force === false) for (const { target } of files) await refuseExisting(target);
  const written: Temporary[] = [];
  const folders: string[] = [];
  let before = 0;
  const onProgress: SaveOptions["onProgress"] = ({ bytes }) => options.onProgress?.({ bytes: before + bytes });
  try {
    for (const { file, target, root } of files) {
      const beside = `${target}.part-${process.pid}-${++temporaries}`;
      await makeFolder(dirname(target), root, folders);
      written.push({ target, beside });
      await writeFile(file, written.at(-1)!, { ...options, onProgress });
      before += file.size;
    }
    for (const { beside, target } of written) {
      await rename(beside, target).catch(cannotWrite(target, "rename the finished file into place"));
    }
    folders.length = 0;
  } finally {
    for (const { beside } of written) await rm(beside, { force: true });
    for (const folder of folders.reverse()) await rmdir(folder).catch(() => {});
  }
}

/** Of OutputFile.save(): one file, to a path or into a folder. */
export async function save(file: OutputFile, path = file.path, options: SaveOptions = {}): Promise<string> {
  const target = path.endsWith("/") || (await isFolder(path)) ? join(path, file.path) : path;
  await saveAll([{ file, target, root: "" }], options);
  return target;
}

// Adds those that were not there to `made`, the outer ones first.
async function makeFolder(folder: string, root: string, made: string[]): Promise<void> {
  if (!`${folder}/`.startsWith(root) || (await isFolder(folder))) return;
  await makeFolder(dirname(folder), root, made);
  await mkdir(folder).catch(cannotWrite(folder, "create the folder"));
  made.push(folder);
}

// A step is read while the one before is written.
async function writeFile(file: OutputFile, { target, beside }: Temporary, options: SaveOptions): Promise<void> {
  const output = await open(beside, "w").catch(cannotWrite(target, "create the file"));
  const room = () => new Uint8Array(Math.min(kStep, file.size));
  let written = Promise.resolve();
  try {
    for await (const bytes of readParts(file.parts, options, [room(), room()])) {
      await written;
      written = writeWhole(output, bytes).catch(cannotWrite(target, "write"));
      written.catch(() => {});  // it is told of when it is awaited
    }
    await written;
  } finally {
    await Promise.allSettled([written]);
    await output.close().catch(cannotWrite(target, "finish writing"));
  }
}

async function writeWhole(output: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await output.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

async function refuseExisting(path: string): Promise<void> {
  if (await access(path, constants.F_OK).then(() => true, () => false)) {
    throw refusal("output-exists", path, "the output exists already", "give --force to overwrite it");
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then((status) => status.isDirectory(), () => false);
}

// "EACCES: permission denied, open 'x'" is, in the words of the system, "Permission denied".
function cannotWrite(path: string, doing: string): (error: Error) => never {
  return (error) => {
    const words = /^E\w+: (.*?)(,|$)/.exec(error.message)?.[1] ?? error.message;
    const why = words.charAt(0).toUpperCase() + words.slice(1);
    const fix = "choose another place for the output, or make room";
    throw refusal("write-failed", path, `cannot ${doing}: ${why}`, fix, error);
  };
}

function refusal(code: string, file: string, message: string, fix: string, cause?: unknown): CryographError {
  return new CryographError([{ severity: "error", code, where: { file }, message, fix, fixable: false }], null, { cause });
}
