// `cryograph` in a page, in this thread. Files above some hundred megabytes need `cryograph/worker`.
import type { Package } from "../model/calls.js";
import { Model } from "../model/model.js";
import { packageOver } from "../host/host.js";
import { webHost } from "../host/host_web.js";
import { releasesBeside } from "../core/releases_beside.js";

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOver(/* @__PURE__ */ webHost(releasesBeside));
