// `cryograph/inline`: the wasm is inside, for file:// pages, single-file pages and webviews.
import text from "cryograph-core-text";
import { CoreLoader } from "../host/core.js";
import { packageOver } from "../host/host.js";
import { webHost } from "../host/host_web.js";
import { opsBeside } from "../host/ops.js";
import { inflate, unpack } from "../host/unpack.js";

export * from "./index.js";
export { Model } from "../api/model.js";
export const { init, open, explain } = packageOver({
  ...webHost,
  loader: new CoreLoader(async (url) => (url ? fetch(url) : unpack(text)), async () => inflate(await opsBeside())),
});
