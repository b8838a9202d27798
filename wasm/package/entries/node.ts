// `cryograph` in Node, in this thread.
import type { Package } from "../model/calls.js";
import { Model } from "../model/model.js";
import { packageOver } from "../host/host.js";
import { nodeHost } from "../host/host_node.js";

export * from "./index.js";
export { Model };
export const { init, open, explain }: Package<Model> = packageOver(nodeHost);
