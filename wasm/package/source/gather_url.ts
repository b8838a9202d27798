// The files of a model on a server, which has no listing: they are looked for by the names that TensorFlow gives them.
import { tagOf } from "../base/argument.js";
import { failure } from "../base/errors.js";
import type { OpenOptions } from "../types/types.js";
import { folder, kMaxStreamed } from "./gather.js";
import type { Entry, Gathered } from "./entry.js";
import { nameIn, refused, requestRange, stampOf, whole } from "./range.js";
import { kBlock } from "./source_url.js";

/** A file that is sent whole, since the server knows no ranges, may have so many bytes without `download`. */
const kMaxWhole = 1024 * 1024;
const kSavedModel = /saved_model\.pb(txt)?$/;
const kCheckpointPart = /\.(meta|index|data-\d{5}-of-\d{5})$/;

/** Returns whether a text or URL is an address to fetch from. */
export function isAddress(input: unknown): input is string | URL {
  return ["string", "URL"].includes(tagOf(input)) && /^https?:\/\//i.test(String(input));
}

/**
 * Returns the files of the model at an address: of a file; of a checkpoint's file or prefix, with what belongs to it; of a
 * SavedModel's or TensorFlow.js model's file or folder, which ends with '/'. Of each the first bytes are read.
 */
export async function gatherUrl(address: string | URL, options: OpenOptions): Promise<Gathered> {
  const url = new URL(address);
  const at = (path: string) => new URL(path, url).href;
  const find = (path: string) => remoteEntry(at(path), options, path);
  const name = nameIn(url.pathname);
  if (name === "") return modelIn(url.href, find);
  if (kSavedModel.test(name)) return folder([await needed(find, name, url.href), ...(await variables(find))]);
  if (name.endsWith(".json")) return tfjsModel(await needed(find, name, url.href), find);
  const isCheckpoint = kCheckpointPart.test(name);
  const only = isCheckpoint ? null : await find(name);
  if (only) return { entries: [only], path: only.name };
  return checkpoint(name.replace(kCheckpointPart, ""), isCheckpoint ? name : "", find, url.href);
}

type Find = (path: string) => Promise<Entry | null>;

async function needed(find: Find, name: string, address: string): Promise<Entry> {
  return (await find(name)) ?? notThere(address);
}

/** Throws the error of an address without a file. */
export function notThere(address: string): never {
  throw refused(address, "the server has no such file, nor a checkpoint of this name");
}

async function modelIn(address: string, find: Find): Promise<Gathered> {
  const [binary, text, json] = await Promise.all(["saved_model.pb", "saved_model.pbtxt", "model.json"].map(find));
  const saved = binary ?? text;
  if (saved) return folder([saved, ...(await variables(find))]);
  if (json) return tfjsModel(json, find);
  const message = `${address} has neither saved_model.pb nor model.json, and a server's folder cannot be listed`;
  throw failure("bad-input", message, "name the file, or the checkpoint's prefix", undefined, 2);
}

function variables(find: Find): Promise<Entry[]> {
  return withShards("variables/variables", find);
}

async function checkpoint(prefix: string, name: string, find: Find, address: string): Promise<Gathered> {
  const [meta, parts] = await Promise.all([find(`${prefix}.meta`), withShards(prefix, find)]);
  const old = parts.length === 0 && name !== "" ? await find(prefix) : null; // a V1 checkpoint
  const entries = [meta, old, ...parts].filter((each) => each !== null);
  return entries.length > 0 ? { entries, path: name || prefix } : notThere(address);
}

// Returns a checkpoint's index and data files.
async function withShards(prefix: string, find: Find): Promise<Entry[]> {
  const index = await find(`${prefix}.index`);
  if (!index) return [];
  const count = shardsOf(firstBytes(index));
  const five = (number: number) => String(number).padStart(5, "0");
  const names = Array.from({ length: count }, (_, i) => `${prefix}.data-${five(i)}-of-${five(count)}`);
  return [index, ...(await Promise.all(names.map(find))).filter((each) => each !== null)];
}

// Returns the number of data files. An index begins with the entry of the empty key:
//
//     00 00 LENGTH 08 COUNT ...      no shared bytes, no key, then the message: field 1 is the count
function shardsOf(bytes: Uint8Array): number {
  const [shared, key, , field, low = 1, high = 0] = bytes;
  if (shared !== 0 || key !== 0 || field !== 8) return 1;
  return low < 0x80 ? low : (low & 0x7f) | ((high & 0x7f) << 7);
}

function firstBytes({ data }: Entry): Uint8Array {
  return ArrayBuffer.isView(data) ? data : (data as { first: Uint8Array }).first;
}

// The weights' files are named in model.json.
async function tfjsModel(json: Entry, find: Find): Promise<Gathered> {
  const text = new TextDecoder().decode(await allBytes(json));
  const paths = new Set<string>();
  try {
    const { weightsManifest } = JSON.parse(text) as { weightsManifest?: { paths: string[] }[] };
    for (const group of weightsManifest ?? []) for (const path of group.paths) paths.add(String(path));
  } catch {
    // No JSON, or another: the core says so.
  }
  const weights = await Promise.all([...paths].map(find));
  return { entries: [json, ...weights.filter((each) => each !== null)], path: json.name };
}

async function allBytes({ data }: Entry): Promise<Uint8Array> {
  if (ArrayBuffer.isView(data)) return data;
  const { url, size, first } = data as { url: string; size: number; first: Uint8Array };
  return first.length === size ? first : new Uint8Array(await whole(await requestRange(url, 0, size), url));
}

/**
 * Returns a server's file, with its first bytes; null if it does not exist. Fails with "no-ranges" for a large one of a
 * server that sends files whole, unless `download` is set: then it is read now.
 */
export async function remoteEntry(url: string, options: OpenOptions, name = nameIn(url)): Promise<Entry | null> {
  const answer = await requestRange(url, 0, kBlock, options.signal);
  const { status } = answer;
  if ([403, 404, 410].includes(status)) return cancelled(answer, null);
  if (status === 416) return cancelled(answer, { name, data: new Uint8Array(0) });
  if (status === 206) {
    const first = new Uint8Array(await whole(answer, url));
    return { name, data: { url, size: await sizeOf(answer, first, options), stamp: stampOf(answer), first } };
  }
  if (status !== 200) return cancelled(answer, null, refused(url, `HTTP status ${status}`));
  const most = options.download ? kMaxStreamed : kMaxWhole;
  if (Number(answer.headers.get("content-length") ?? Infinity) <= most || options.download)
    return { name, data: new Uint8Array(await whole(answer, url)) };
  return cancelled(answer, null, withoutRanges(url));
}

async function cancelled<T>(answer: Response, value: T, error?: Error): Promise<T> {
  await answer.body?.cancel();
  if (error) throw error;
  return value;
}

function withoutRanges(url: string): Error {
  const message = `the server of ${url} sends files whole only (no range requests)`;
  return failure(
    "no-ranges",
    message,
    "serve it with range requests, or let open() read all of it: { download: true }",
  );
}

// A server of another origin may hide the size from pages, in an answer with a part.
async function sizeOf({ headers, url }: Response, first: Uint8Array, { signal }: OpenOptions): Promise<number> {
  const stated = /\/(\d+)$/.exec(headers.get("content-range") ?? "");
  if (stated) return Number(stated[1]);
  if (first.length < kBlock) return first.length;
  const { headers: ofAll } = await fetch(url, { method: "HEAD", ...(signal && { signal }) });
  const length = Number(ofAll.get("content-length") ?? NaN);
  if (Number.isSafeInteger(length)) return length;
  throw refused(url, "the server does not send the file's size");
}
