// `cryograph/inline`: the wasm is inside, for file:// pages, single-file pages and webviews. It is built as the package
// cryograph-inline (scripts/bundle_packages.mjs); dist/inline.js re-exports that.
import text from "cryograph-core-text";
import ops from "cryograph-packed-ops-text";
import * as releases from "cryograph-packed-releases";
import { fetchWasm } from "../core/compile.js";
import { CoreLoader } from "../core/core.js";
import type { Package } from "../model/calls.js";
import { Model } from "../model/model.js";
import { packageOver } from "../host/host.js";
import { gatherWeb, webFiles } from "../host/host_web.js";
import { unpackedReleases } from "../core/releases.js";
import { unpack } from "../core/unpack.js";

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOver({
  loader: new CoreLoader(
    async (url) => (url ? fetchWasm(url) : unpack(text)),
    async () => unpack(ops),
    () => unpackedReleases(releases, unpack),
  ),
  saver: null,
  files: webFiles,
  gather: gatherWeb,
});
