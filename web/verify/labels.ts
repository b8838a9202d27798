import type { VerifyReport } from "../../wasm/package/entries/page_later.js";
import type { Files } from "../engine/engine.js";
import type { Labels } from "../state/verify.js";

const kTexts = /\.(txt|labels|names|csv)$/i;
const kMaxBytes = 1e6;

/** Returns the lines of a text, without empty ones at its end. */
export function linesOf(text: string): string[] {
  return text.replace(/\r/g, "").replace(/\n+$/, "").split("\n");
}

/** A text among the files, an asset say, with as many lines as an output has classes. */
export async function labelsAmong(files: Files, { outputs }: VerifyReport): Promise<Labels | null> {
  const counts = new Set(outputs.flatMap(({ classes }) => (classes ? [classes.count] : [])));
  if (counts.size === 0) return null;
  for (const [path, data] of Object.entries(files)) {
    if (!kTexts.test(path) || (data instanceof Blob ? data.size : data.length) > kMaxBytes) continue;
    const lines = linesOf(await new Blob([data as BlobPart]).text());
    if (counts.has(lines.length)) return { name: path, lines };
  }
  return null;
}
