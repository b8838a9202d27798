import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { fetchWasm } from "../core/compile.js";
import { CoreLoader } from "../core/core.js";
import { unpackedReleases } from "../core/releases.js";
import { releasesBeside } from "../core/releases_beside.js";
import { isBlob } from "../source/gather.js";
import type { Entry, Gathered } from "../source/entry.js";
import { gatherPath, withNear } from "../source/gather_node.js";
import { gatherUrl, isAddress } from "../source/gather_url.js";
import { webFiles } from "./host_web.js";
import { gatherInput } from "../source/input.js";
import type { Host } from "./host.js";
import { opsBeside } from "../core/ops.js";
import { tagOf } from "../base/argument.js";
import { failure } from "../base/errors.js";
import { save } from "../save/save.js";
import type { HostFile } from "../source/host_file.js";
import { bytesOf, refuseLarge } from "../source/source_blob.js";
import { PathFile } from "../source/source_node.js";
import type { Input, OpenOptions } from "../types/types.js";

/** Node: paths, file descriptors, and core.wasm next to the module. */
export const nodeHost: Host = {
  loader: new CoreLoader(
    async (url) => {
      const where = new URL(url ?? "core.wasm", import.meta.url);
      return where.protocol === "file:" ? readFile(where) : fetchWasm(where);
    },
    async () => gunzip(await opsBeside()),
    async (sent) => unpackedReleases(sent ?? (await releasesBeside()), gunzip),
  ),
  saver: save,
  files: nodeFiles,
  withNear,
  async gather(input: Input, options: OpenOptions): Promise<Gathered> {
    if (isAddress(input)) return gatherUrl(input, options);
    const path = pathOf(input);
    return path === null ? ofThisNode(await gatherInput(input, options)) : gatherPath(path, options.checkpoint);
  },
};

function gunzip(text: string): Uint8Array {
  return gunzipSync(Buffer.from(text, "base64"));
}

// Reads Blobs of other platforms, such as a test runner's, which cannot be sent to a worker.
async function ofThisNode(gathered: Gathered): Promise<Gathered> {
  const others = gathered.entries.filter(({ data }) => isBlob(data) && !(data instanceof Blob));
  refuseLarge(others, "they are of another platform than Node", "pass a path, or Node's own Blob");
  for (const entry of others) entry.data = await bytesOf(entry.data as Blob);
  return gathered;
}

// Returns the path that an input is; null for another input. Fails with "bad-input" for a URL that is no file's.
function pathOf(input: unknown): string | null {
  if (typeof input === "string" && !input.startsWith("file:")) return input;
  if (typeof input !== "string" && tagOf(input) !== "URL") return null;
  try {
    return fileURLToPath(String(input as string | URL));
  } catch (error) {
    throw failure(
      "bad-input",
      `${String(input)} is not the URL of a file here`,
      "pass a file: URL or a path",
      error,
      2,
    );
  }
}

async function nodeFiles(entries: readonly Entry[]): Promise<HostFile[]> {
  const others = await webFiles(entries.filter(({ data }) => !("path" in data)));
  return entries.map(({ name, data }) =>
    "path" in data ? new PathFile(name, data.path, data.stamp) : others.shift()!,
  );
}
