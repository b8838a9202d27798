// `cryograph` in Node, in this thread.
import { packageOver } from "../host/host.js";
import { nodeHost } from "../host/host_node.js";

export * from "./index.js";
export { Model } from "../api/model.js";
export const { init, open, explain } = packageOver(nodeHost);
