import { constants } from "node:fs";
import { access, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { failure } from "./errors.js";
import { type OutputFile, readParts, type SaveOptions } from "./output.js";

/** Written whole beside its target, and not yet there. */
export interface Staged {
  target: string;
  temporary: string;
}

let staged = 0;

/** Writes `file` beside `target`; on any failure nothing is left behind. */
export async function stage(file: OutputFile, target: string, options: SaveOptions = {}): Promise<Staged> {
  await mkdir(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}-${++staged}.tmp`);
  const output = await open(temporary, "wx");
  try {
    for await (const bytes of readParts(file.parts, options)) await writeWhole(output, bytes);
    await output.close();
  } catch (error) {
    await output.close();
    await rm(temporary, { force: true });
    throw error;
  }
  return { target, temporary };
}

/** Puts what is written whole in its place. */
export async function commit(files: readonly Staged[]): Promise<void> {
  for (const { temporary, target } of files) await rename(temporary, target);
}

export async function discard(files: readonly Staged[]): Promise<void> {
  for (const { temporary } of files) await rm(temporary, { force: true });
}

export async function save(file: OutputFile, path = file.path, options: SaveOptions = {}): Promise<string> {
  const target = (await isFolder(path)) ? join(path, file.path) : path;
  if (options.force === false && (await exists(target))) throw outputExists(target);
  const written = await stage(file, target, options);
  await commit([written]);
  return target;
}

export function outputExists(path: string) {
  return failure("output-exists", `${path} exists`, "choose another name, or overwrite with force");
}

export async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(() => true, () => false);
}

async function isFolder(path: string): Promise<boolean> {
  return path.endsWith("/") || stat(path).then((status) => status.isDirectory(), () => false);
}

async function writeWhole(output: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await output.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}
