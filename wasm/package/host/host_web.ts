import { CoreLoader } from "./core.js";
import { tagOf } from "../api/argument.js";
import { failure } from "../api/errors.js";
import { gatherInput } from "../source/input.js";
import type { Host } from "./host.js";
import { opsBeside } from "./ops.js";
import { blobFiles } from "../source/source_blob.js";
import type { Input } from "../api/types.js";
import { inflate } from "./unpack.js";

/** A page or a worker: Files and Blobs, and core.wasm by a URL that bundlers recognize. */
export const webHost: Host = {
  loader: /* @__PURE__ */ new CoreLoader(
    (url) => fetch(url ?? new URL("core.wasm", import.meta.url)),
    async () => inflate(await opsBeside()),
  ),
  saver: null,
  files: blobFiles,
  gather: gatherWeb,
};

export async function gatherWeb(input: Input) {
  if (typeof input !== "string" && tagOf(input) !== "URL") return gatherInput(input);
  throw failure("no-paths-here", `A page cannot open the path ${String(input)}`, "pass a File, a Blob or bytes");
}
