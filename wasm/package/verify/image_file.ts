import { readFile } from "node:fs/promises";
import { failure } from "../base/errors.js";
import { requireFirst } from "./tensorflow_js_node.js";
import type { Pixels } from "./types.js";

interface Png {
  PNG: { sync: { read(bytes: Uint8Array): Pixels } };
}

interface Jpeg {
  decode(bytes: Uint8Array, options: { useTArray: boolean; formatAsRGBA: boolean }): Pixels;
}

/** Reads a PNG or JPEG, detected by its first bytes. The decoder is an optional peer of the package. */
export async function imageFromFile(path: string): Promise<Pixels> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw failure("not-found", `${path} cannot be read: ${error.message}`, "give a PNG or JPEG", error);
  });
  try {
    if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return library<Png>("pngjs").PNG.sync.read(bytes);
    if (startsWith(bytes, [0xff, 0xd8, 0xff]))
      return library<Jpeg>("jpeg-js").decode(bytes, { useTArray: true, formatAsRGBA: true });
  } catch (error) {
    if (error instanceof Error && "diagnostics" in error) throw error;
    throw failure("bad-image", `${path} is damaged: ${String(error)}`, "give another file", error);
  }
  throw failure("bad-image", `${path} is neither a PNG nor a JPEG`, "give one of these");
}

function library<T>(name: string): T {
  const from = requireFirst(name);
  if (from) return from(name) as T;
  throw failure(
    "image-library-missing",
    `images of this kind are read by ${name}, which is not installed here`,
    `npm install ${name}`,
  );
}

function startsWith(bytes: Uint8Array, first: readonly number[]): boolean {
  return first.every((byte, i) => bytes[i] === byte);
}
