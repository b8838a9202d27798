// An output file while it is written: a new file with a random name next to its place, renamed into it at the end, or removed.
import { randomBytes } from "node:crypto";
import { constants, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CryographError } from "../base/errors.js";
import { cannotWrite, changedMeanwhile, checkPlace, type Place } from "./place.js";
import { closeQuietly } from "../source/source_node.js";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
const kNoFollow = constants.O_NOFOLLOW ?? 0; // Windows has none

/** Files and folders to remove if the process ends before they are finished, the newest last. */
const unfinished = new Set<string>();

/** Removes everything that is unfinished. */
export function removeUnfinished(): void {
  for (const path of [...unfinished].reverse()) discard(path);
}

/** Makes a folder for outputs, which is removed unless it is kept. */
export function makeHeldFolder(path: string): void {
  mkdirSync(path);
  unfinished.add(path);
}

export function keepFolder(path: string): void {
  unfinished.delete(path);
}

export function discard(path: string): void {
  if (unfinished.delete(path) && !rmQuietly(path)) rmdirQuietly(path);
}

export class PartFile {
  #beside = "";
  #old = "";

  constructor(readonly place: Place) {}

  async open(): Promise<FileHandle> {
    const { place } = this;
    if (place.stream) return open(place.path, O_WRONLY).catch(cannotWrite(place.asked, "open"));
    const beside = randomName(place.path);
    // An output that replaces a private file is private before it has any bytes.
    try {
      // Without a wait, as folders: a signal's handler finds each new file registered.
      closeQuietly(openSync(beside, O_WRONLY | O_CREAT | O_EXCL | kNoFollow, place.before ? 0o600 : 0o666));
    } catch (error) {
      cannotWrite(place.asked, "create the file")(error as Error);
    }
    unfinished.add((this.#beside = beside));
    const file = await open(beside, O_WRONLY | kNoFollow).catch(cannotWrite(place.asked, "create the file"));
    if (place.before) await keepAttributes(file, place.before);
    return file;
  }

  /** Waits until the disk has all bytes. */
  async finish(file: FileHandle): Promise<void> {
    if (!this.place.stream) await file.sync().catch(unlessUnsynced).catch(cannotWrite(this.place.asked, "sync"));
  }

  /** Moves the finished file to its place. The file that was there is kept under another name until settle() removes it or undo()
   * puts it back. */
  rename(): void {
    const { place } = this;
    if (place.stream) return;
    checkPlace(place);
    if (place.before) this.#setAside();
    try {
      if (!place.before && linkNew(this.#beside, place)) return;
      renameSync(this.#beside, place.path);
    } catch (error) {
      if (this.#old) this.undo();
      if (error instanceof CryographError) throw error;
      cannotWrite(place.asked, "rename the finished file into place")(error as Error);
    }
    unfinished.delete(this.#beside);
  }

  undo(): void {
    const { path, before, stream } = this.place;
    if (stream) return;
    if (this.#old) renameSync(this.#old, path);
    else if (!before) rmSync(path, { force: true });
    this.settle(); // two names of one file are not renamed to each other
  }

  // All files of the set are in their places: a disk that does not let go of the old one is no reason to fail.
  settle(): void {
    if (this.#old) rmQuietly(this.#old);
    this.#old = "";
  }

  discard(): void {
    discard(this.#beside);
  }

  // Makes a second name for the file if the file system supports it; otherwise moves it away.
  #setAside(): void {
    const { asked, path } = this.place;
    const old = randomName(path);
    try {
      linkSync(path, old);
    } catch {
      try {
        renameSync(path, old);
      } catch (error) {
        cannotWrite(asked, "keep the file that is there")(error as Error);
      }
    }
    this.#old = old;
  }
}

/** Waits until the disk has the names in a folder. A folder that may not be read, or a system without this, is passed over. */
export function syncFolder(folder: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } catch (error) {
    try {
      unlessUnsynced(error as NodeJS.ErrnoException);
    } catch {
      cannotWrite(folder, "sync the folder")(error as Error);
    }
  } finally {
    closeQuietly(descriptor);
  }
}

// Node has no exclusive rename: a link is one, and then the first name is removed as an unfinished file is. Returns false where the
// disk has no links and nothing is at the place.
function linkNew(from: string, place: Place): boolean {
  try {
    linkSync(from, place.path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw changedMeanwhile(place);
    checkPlace(place);
    return false;
  }
}

// If the group cannot be kept, the new one gets no permissions: they were granted to the old one.
async function keepAttributes(file: FileHandle, { uid, gid, mode }: NonNullable<Place["before"]>): Promise<void> {
  const kept = await file.chown(Number(uid), Number(gid)).then(
    () => true,
    () => false,
  );
  await file.chmod(Number(mode) & (kept ? 0o777 : 0o707)).catch(() => {});
}

function randomName(path: string): string {
  return join(dirname(path), `.cryograph-${randomBytes(8).toString("hex")}`);
}

// Files without a disk to wait for.
function unlessUnsynced(error: NodeJS.ErrnoException): void {
  if (!["EINVAL", "ENOTSUP", "EPERM", "EISDIR"].includes(error.code ?? "")) throw error;
}

function rmQuietly(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function rmdirQuietly(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It is not empty: it has files that are not ours.
  }
}
