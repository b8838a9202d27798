// The inputs of open() that are read at once, and whole: responses and streams, alone or among others. The page has none.
import { tagOf } from "../base/argument.js";
import { failure } from "../base/errors.js";
import type { Input, OpenOptions } from "../types/types.js";
import { nameIn } from "./range.js";
import { isAddress, notThere, remoteEntry } from "./gather_url.js";
import { kMaxStreamed, badInput, entry, folder, gather, isRecord, one } from "./gather.js";
import type { Entry, Gathered } from "./entry.js";

/** Returns the files of anything but a path or an address. Responses and streams are read now. */
export async function gatherInput(input: Input, options: OpenOptions): Promise<Gathered> {
  if (isStreamed(input)) return one(await entryOf("", input, options));
  const named = membersOf(input);
  if (!named) return gather(input);
  return folder(await Promise.all(named.map(([name, data]) => entryOf(name, data, options))));
}

// Returns the members of a list, map or record by name; null for other inputs.
function membersOf(input: unknown): (readonly [string, unknown])[] | null {
  if (Array.isArray(input)) return input.map((data) => ["", data]);
  if (tagOf(input) !== "Map") return isRecord(input) ? Object.entries(input) : null;
  const members = [...(input as ReadonlyMap<unknown, unknown>)];
  return members.map(([name, data]) => {
    if (typeof name !== "string") throw badInput("a Map of files by name", name);
    return [name, data];
  });
}

async function entryOf(name: string, data: unknown, options: OpenOptions): Promise<Entry> {
  if (tagOf(data) === "URL" && isAddress(data)) return addressed(name, String(data), options);
  if (!isStreamed(data)) return entry(name, data);
  if (!isResponse(data)) return { name: name || "input", data: await readWhole(data) };
  const { ok, url, status, bodyUsed, body } = data;
  const address = url || "the response";
  if (!ok) throw unread(`${address} is not a file: HTTP status ${status}`, "fetch an address that has a model");
  if (bodyUsed) throw unread(`${address} was read already`, "pass it before its body is read, or response.clone()");
  return { name: name || nameIn(url) || "input", data: body ? await readWhole(body) : new Uint8Array(0) };
}

async function addressed(name: string, url: string, options: OpenOptions): Promise<Entry> {
  const found = await remoteEntry(url, options, name || nameIn(url));
  return found ?? notThere(url);
}

type Streamed = Response | ReadableStream;

function isStreamed(input: unknown): input is Streamed {
  return isResponse(input) || tagOf(input) === "ReadableStream";
}

function isResponse(input: unknown): input is Response {
  return tagOf(input) === "Response";
}

async function readWhole(stream: ReadableStream): Promise<Uint8Array> {
  if (stream.locked) throw unread("the stream has a reader already", "pass a stream that nobody reads");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<unknown> = stream.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    if (!ArrayBuffer.isView(step.value)) throw badInput("a stream of bytes", step.value);
    const { buffer, byteOffset, byteLength } = step.value;
    chunks.push(new Uint8Array(buffer, byteOffset, byteLength));
    size += byteLength;
    if (size <= kMaxStreamed) continue;
    void reader.cancel().catch(() => {});
    const fix = "open its address, a File or a path, of which only parts are read";
    throw failure("too-large", `a stream of more than ${kMaxStreamed} bytes, which are held in memory`, fix);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks.splice(0)) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function unread(message: string, fix: string) {
  return failure("bad-input", message, fix, undefined, 2);
}
