// `cryograph` in Node, in this thread.
import { packageOver } from "./host.js";
import { nodeHost } from "./host_node.js";

export * from "./index.js";
export { Model } from "./model.js";
export const { init, open, explain } = packageOver(nodeHost);
