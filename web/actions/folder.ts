import { type CallOptions, discard, failure } from "../engine/engine.js";
import type { Download } from "../state/state.js";

type Picker = (options: { id: string; mode: "readwrite" }) => Promise<FileSystemDirectoryHandle>;

const picker = (): Picker | undefined => (window as { showDirectoryPicker?: Picker }).showDirectoryPicker;

/** Returns true if this browser lets a page write into a folder that a person chose. */
export function hasFolders(): boolean {
  return picker() !== undefined;
}

/** Asks for a folder. To be called within the event of the person's action. Null: the person canceled. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await picker()!({ id: "cryograph", mode: "readwrite" });
  } catch (error) {
    if ((error as Error).name === "AbortError") return null;
    throw error;
  }
}

/**
 * Writes files below a folder, in chunks as the browser reads them. Replaces nothing; removes a file that it could not
 * finish.
 */
export async function writeInto(
  folder: FileSystemDirectoryHandle,
  files: readonly Download[],
  call: CallOptions,
): Promise<void> {
  for (const { name } of files) await refuseExisting(folder, name);
  const written: string[] = [];
  let bytes = 0;
  try {
    for (const { name, blob } of files) {
      written.push(name);
      bytes = await writeOne(folder, name, blob, bytes, call);
    }
  } catch (error) {
    for (const name of written) await remove(folder, name);
    throw call.signal?.aborted ? error : refused(folder, error);
  }
}

function refused({ name }: FileSystemDirectoryHandle, error: unknown): Error {
  return failure(
    "write-failed",
    `Cannot write into the folder ${name}: ${(error as Error).message}`,
    "Choose another folder, or make room.",
    error,
  );
}

async function writeOne(
  folder: FileSystemDirectoryHandle,
  path: string,
  blob: Blob,
  before: number,
  call: CallOptions,
): Promise<number> {
  const { parent, name } = (await parentOf(folder, path, true))!;
  const writable = await (await parent.getFileHandle(name, { create: true })).createWritable();
  let bytes = before;
  try {
    for await (const step of blob.stream()) {
      call.signal?.throwIfAborted();
      await writable.write(step);
      bytes += step.length;
      discard(step.buffer);
      call.onProgress?.({ bytes });
    }
    await writable.close();
  } catch (error) {
    await writable.abort().catch(() => {});
    throw error;
  }
  return bytes;
}

async function refuseExisting(folder: FileSystemDirectoryHandle, path: string): Promise<void> {
  const place = await parentOf(folder, path, false);
  const there = await place?.parent.getFileHandle(place.name).then(
    () => true,
    (error: Error) => error.name !== "NotFoundError",
  );
  if (there)
    throw failure(
      "output-exists",
      `The folder ${folder.name} has a ${path} already`,
      "Choose another folder, or move that file away.",
    );
}

async function remove(folder: FileSystemDirectoryHandle, path: string): Promise<void> {
  const place = await parentOf(folder, path, false);
  await place?.parent.removeEntry(place.name).catch(() => {});
}

// Returns the folder of a path: "variables/variables.index" -> the folder variables. Creates it with `create`;
// otherwise null if it does not exist.
async function parentOf(folder: FileSystemDirectoryHandle, path: string, create: boolean) {
  const parts = path.split("/");
  const name = parts.pop()!;
  try {
    let parent = folder;
    for (const part of parts) parent = await parent.getDirectoryHandle(part, { create });
    return { parent, name };
  } catch (error) {
    if (create || (error as Error).name !== "NotFoundError") throw error;
    return null;
  }
}
