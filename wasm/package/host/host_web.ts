import { fetchWasm } from "../core/compile.js";
import { CoreLoader } from "../core/core.js";
import { type PackedReleases, unpackedReleases } from "../core/releases.js";
import { tagOf } from "../base/argument.js";
import { failure } from "../base/errors.js";
import type { Entry, Gathered } from "../source/entry.js";
import { gatherUrl, isAddress } from "../source/gather_url.js";
import { gatherInput } from "../source/input.js";
import type { HostFile } from "../source/host_file.js";
import { UrlFile } from "../source/source_url.js";
import type { Host } from "./host.js";
import { opsBeside } from "../core/ops.js";
import { blobFiles } from "../source/source_blob.js";
import type { Input, OpenOptions } from "../types/types.js";
import { inflate } from "../core/unpack.js";

/**
 * A page or a worker: Files and Blobs, and core.wasm by a URL that bundlers recognize. `releases`: loads those that no other
 * thread sent.
 */
export function webHost(releases: () => Promise<PackedReleases>): Host {
  return {
    loader: new CoreLoader(
      (url) => fetchWasm(url ?? new URL("core.wasm", import.meta.url)),
      async () => inflate(await opsBeside()),
      async (sent) => unpackedReleases(sent ?? (await releases()), inflate),
    ),
    saver: null,
    files: webFiles,
    gather: gatherWeb,
  };
}

/** The files of a page: of servers, and Blobs. */
export async function webFiles(entries: readonly Entry[]): Promise<HostFile[]> {
  const others = await blobFiles(entries.filter(({ data }) => !("url" in data)));
  return entries.map(({ name, data }) => ("url" in data ? new UrlFile(name, data) : others.shift()!));
}

export async function gatherWeb(input: Input, options: OpenOptions): Promise<Gathered> {
  if (typeof input !== "string" && tagOf(input) !== "URL") return gatherInput(input, options);
  if (isAddress(input)) return gatherUrl(input, options);
  const fix = 'pass a File, a Blob, bytes, or an address: new URL("model.pb", location.href)';
  throw failure("no-paths-here", `A page cannot open the path ${String(input)}`, fix);
}
