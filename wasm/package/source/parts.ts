// Reading of parts: the bytes of an output or a weight, in steps.
import type { Piece } from "../core/binding.js";
import type { HostFile } from "./host_file.js";
import type { PieceChecks } from "./piece_checks.js";
import type { SharedSources } from "./sources.js";
import { Watch } from "./watch.js";
import { withBytes } from "./missing.js";
import { pause } from "../base/pace.js";
import type { CallOptions } from "../types/types.js";

/** A range of a file. Its checksum, if it has one, covers the file from `origin` on. */
export interface FilePart {
  file: HostFile;
  offset: number;
  size: number;
  check?: { checks: PieceChecks; number: number; origin: number };
}

/** A piece of an output: fresh bytes, or a range of a file. */
export type Part = Uint8Array | FilePart;

/** Returns the part that a piece of an answer is. `checks`: those of the answer. */
export function readablePart(piece: Piece, sources: SharedSources, checks: PieceChecks): Part {
  if (ArrayBuffer.isView(piece)) return piece;
  const { source, offset, size, check, at = 0 } = piece;
  const covered = check !== undefined && { check: { checks, number: check, origin: offset - at } };
  return { file: sources.file(source), offset, size, ...covered };
}

/** A step of reading: large enough for a disk, small enough that statistics of it take a few milliseconds. */
const kStep = 1024 * 1024;

/** The checksums of parts: which numbers of which answers. */
export function checksOf(parts: readonly Part[]): Map<PieceChecks, Set<number>> {
  const all = new Map<PieceChecks, Set<number>>();
  for (const part of parts) {
    if (ArrayBuffer.isView(part) || !part.check) continue;
    const numbers = all.get(part.check.checks) ?? new Set();
    all.set(part.check.checks, numbers.add(part.check.number));
  }
  return all;
}

/** Yields the bytes of parts, in order, in chunks. `rooms`: equal-sized buffers that are reused round-robin, because
 * allocating fresh memory for each chunk costs more than reading it. With two, a chunk is valid until the second next
 * one is requested. Other work of this thread runs between steps. `finish`: compares checksums at the end; otherwise the caller does. */
export async function* readParts(
  parts: readonly Part[],
  options: CallOptions,
  rooms: readonly Uint8Array[] = [],
  finish = true,
): AsyncGenerator<Uint8Array, void, undefined> {
  const watch = new Watch(options);
  const step = rooms[0]?.length ?? kStep;
  let steps = 0;
  const nextRoom = () => rooms[steps++ % rooms.length];
  const files = new Set(parts.flatMap((part) => (ArrayBuffer.isView(part) ? [] : [part.file])));
  for (const file of files) file.retain();
  try {
    for (const part of parts) yield* readPart(part, { watch, step, nextRoom });
    if (finish) for (const checks of checksOf(parts).keys()) await withBytes(options, () => checks.finish(options));
  } finally {
    for (const file of files) file.release();
  }
}

async function* readPart(
  part: Part,
  { watch, step, nextRoom }: { watch: Watch; step: number; nextRoom: () => Uint8Array | undefined },
): AsyncGenerator<Uint8Array, void, undefined> {
  const size = partSize(part);
  for (let at = 0; at < size; at += step) {
    await pause();
    watch.check();
    const count = Math.min(step, size - at);
    yield ArrayBuffer.isView(part)
      ? part.subarray(at, at + count)
      : await readChecked(part, at, count, nextRoom(), watch.signal);
    watch.count(count);
  }
}

async function readChecked(
  { file, offset, check }: FilePart,
  at: number,
  count: number,
  room?: Uint8Array,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await file.bytes(offset + at, count, room, signal);
  check?.checks.take(check.number, offset + at - check.origin, bytes);
  return bytes;
}

export async function joinParts(
  parts: readonly Part[],
  options: CallOptions,
  finish = true,
): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + partSize(part), 0));
  let at = 0;
  for await (const step of readParts(parts, options, [new Uint8Array(Math.min(kStep, all.length))], finish)) {
    all.set(step, at);
    at += step.length;
  }
  return all;
}

export function partSize(part: Part): number {
  return ArrayBuffer.isView(part) ? part.length : part.size;
}
