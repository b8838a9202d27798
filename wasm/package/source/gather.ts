import { described, tagOf } from "../base/argument.js";
import { type CryographError, failure } from "../base/errors.js";
import type { Data, Input } from "../types/types.js";
import type { Entry, Gathered } from "./entry.js";

/** Most bytes of a response, a stream or a pipe: they are held in memory. */
export const kMaxStreamed = 2 ** 30;

/** The files of anything but an address or a stream. The first turn of dropped items is taken before any waiting: they die with the event. */
export async function gather(input: Input): Promise<Gathered> {
  if (isBlob(input) || isBytes(input)) return one(entry("", input));
  if (isItems(input)) return folder(await dropped(input));
  if (isHandle(input)) return handle(input);
  if (isList(input)) return folder(Array.from(input, (data) => entry("", data)));
  if (!isRecord(input)) throw badInput("a model's files", input);
  return folder(Object.entries(input).map(([name, data]) => entry(name, data)));
}

/** Returns the error for something that no model can be opened from. */
export function badInput(expected: string, found: unknown): CryographError {
  const fix = "pass a File, a Blob, bytes, or a list or record of these by name";
  return failure("bad-input", `open() takes ${expected}; found ${described(found)}`, fix, undefined, 2);
}

export function one(file: Entry): Gathered {
  return { entries: [file], path: file.name };
}

/** Names relative to the one folder that holds all, in a fixed order. */
export function folder(entries: Entry[]): Gathered {
  const top = commonFolder(entries.map(({ name }) => name));
  for (const file of entries) file.name = file.name.slice(top.length);
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { entries, path: entries.length === 1 ? entries[0]!.name : "", folder: top };
}

function commonFolder(names: readonly string[]): string {
  const top = names[0]?.slice(0, names[0].indexOf("/") + 1) ?? "";
  return names.every((name) => name.startsWith(top)) ? top : "";
}

/** Returns the candidate that a Blob or bytes are. `name`: "" if they have their own, or none. */
export function entry(name: string, data: unknown): Entry {
  if (isBlob(data)) return { name: name || fileName(data), data };
  if (isBytes(data)) return { name: name || "input", data: bytesOf(data, name || "input") };
  throw badInput(`a Blob or bytes as ${name === "" ? "a file" : `the file '${name}'`}`, data);
}

/** Returns bytes of any realm, of any view, as bytes of this one. Those of shared memory are copied. */
function bytesOf(data: ArrayBufferView | ArrayBufferLike, name: string): Uint8Array {
  try {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    return tagOf(bytes.buffer) === "SharedArrayBuffer" ? bytes.slice() : bytes;
  } catch (error) {
    const fix = "pass the bytes before they are transferred, or a copy";
    throw failure("bad-input", `the buffer of ${name} is detached: its bytes were transferred`, fix, error, 2);
  }
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
    if (isBlob(root)) entries.push(entry("", root));
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

// Not instanceof: tests run in realms of their own, and pages have frames.

export function isBlob(input: unknown): input is Blob {
  if (["Blob", "File"].includes(tagOf(input))) return true;
  const { size, slice, arrayBuffer } = (input ?? {}) as Partial<Blob>; // as platforms in JavaScript have it
  return typeof size === "number" && typeof slice === "function" && typeof arrayBuffer === "function";
}

function isBytes(input: unknown): input is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(input) || ["ArrayBuffer", "SharedArrayBuffer"].includes(tagOf(input));
}

function isItems(input: unknown): input is DataTransferItemList {
  return tagOf(input) === "DataTransferItemList";
}

function isHandle(input: unknown): input is FileSystemHandle {
  return /^FileSystem(File|Directory)?Handle$/.test(tagOf(input));
}

function isList(input: unknown): input is readonly Data[] | FileList {
  return Array.isArray(input) || tagOf(input) === "FileList";
}

// An object of no class, which may come from another realm.
export function isRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null) return false;
  const prototype: unknown = Object.getPrototypeOf(input);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
