import { failure } from "../api/errors.js";
import type { Data, Input } from "../api/types.js";

/** A candidate file, not read yet. It can be sent to a worker: Blobs by reference, paths as text. */
export interface Entry {
  name: string;
  data: Blob | Uint8Array | { path: string; stamp?: string | null };
}

/** The requested input, and the files around it. `path`: the requested entry; with "" the core chooses. */
export interface Gathered {
  entries: Entry[];
  path: string;
  /** "model/": the common folder, which is not part of their names. */
  folder?: string;
  /** A folder of which not all files were taken. */
  capped?: string;
}

/** The files of anything but a path. The first turn of dropped items is taken before any waiting: they die with the event. */
export async function gather(input: Exclude<Input, string | URL>): Promise<Gathered> {
  if (isData(input)) return one(entry("", input));
  if (isItems(input)) return folder(await dropped(input));
  if (isHandle(input)) return handle(input);
  if (isList(input)) return folder(Array.from(input, (data) => entry("", data)));
  if (typeof input !== "object" || input === null) {
    throw failure("bad-input", `Expected files, found ${typeof input}`, "pass a File, Blob, Uint8Array or several");
  }
  return folder(Object.entries(input).map(([name, data]) => entry(name, data)));
}

function one(file: Entry): Gathered {
  return { entries: [file], path: file.name };
}

/** Names relative to the one folder that holds all, in a fixed order. */
function folder(entries: Entry[]): Gathered {
  const top = commonFolder(entries.map(({ name }) => name));
  for (const file of entries) file.name = file.name.slice(top.length);
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { entries, path: entries.length === 1 ? entries[0]!.name : "", folder: top };
}

function commonFolder(names: readonly string[]): string {
  const top = names[0]?.slice(0, names[0].indexOf("/") + 1) ?? "";
  return names.every((name) => name.startsWith(top)) ? top : "";
}

function entry(name: string, data: Data): Entry {
  if (!isData(data)) throw failure("bad-input", `${name || "input"} is not bytes`, "pass a File, Blob or Uint8Array");
  if (data instanceof Blob) return { name: name || fileName(data), data };
  return { name: name || "input", data: data instanceof ArrayBuffer ? new Uint8Array(data) : data };
}

function fileName(blob: Blob): string {
  const { webkitRelativePath, name } = blob as Partial<File>;
  return webkitRelativePath || name || "input";
}

async function handle(root: FileSystemHandle): Promise<Gathered> {
  if (root.kind === "file") return one(entry("", await (root as FileSystemFileHandle).getFile()));
  const entries: Entry[] = [];
  await walkHandle(root as FileSystemDirectoryHandle, "", entries);
  return folder(entries);
}

async function walkHandle(directory: FileSystemDirectoryHandle, prefix: string, into: Entry[]): Promise<void> {
  for await (const child of directory.values()) {
    const name = prefix + child.name;
    if (child.kind === "directory") await walkHandle(child as FileSystemDirectoryHandle, `${name}/`, into);
    else into.push({ name, data: await (child as FileSystemFileHandle).getFile() });
  }
}

async function dropped(items: DataTransferItemList): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const root of Array.from(items, rootOf)) {
    if (root instanceof File) entries.push(entry("", root));
    else if (root) await walkEntry(root, entries);
  }
  return entries;
}

// A file is returned as a File: its entry would need a path, which a file from another page or a mail does not have.
function rootOf(item: DataTransferItem): File | FileSystemEntry | null {
  const root = item.webkitGetAsEntry();
  return root?.isDirectory ? root : item.getAsFile();
}

async function walkEntry(item: FileSystemEntry, into: Entry[]): Promise<void> {
  if (item.isFile) {
    const file = await new Promise<File>((done, failed) => (item as FileSystemFileEntry).file(done, failed));
    into.push({ name: item.fullPath.replace(/^\//, ""), data: file });
    return;
  }
  const reader = (item as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives a hundred or so at a time.
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const child of some) await walkEntry(child, into);
  }
}

function isData(input: unknown): input is Data {
  return input instanceof Blob || input instanceof Uint8Array || input instanceof ArrayBuffer;
}

function isItems(input: unknown): input is DataTransferItemList {
  return typeof DataTransferItemList !== "undefined" && input instanceof DataTransferItemList;
}

function isHandle(input: unknown): input is FileSystemHandle {
  return typeof FileSystemHandle !== "undefined" && input instanceof FileSystemHandle;
}

function isList(input: unknown): input is readonly Data[] | FileList {
  return Array.isArray(input) || (typeof FileList !== "undefined" && input instanceof FileList);
}
