// `cryograph` in a page, in this thread. Files above some hundred megabytes need `cryograph/worker`.
import { packageOver } from "../host/host.js";
import { webHost } from "../host/host_web.js";

export * from "./index.js";
export { Model } from "../api/model.js";
export const { init, open, explain } = packageOver(webHost);
