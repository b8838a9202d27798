// The public surface that `.`, `./worker` and `./inline` share.
export { CryographError } from "../base/errors.js";
export { NodeTable } from "../model/node_table.js";
export { OutputFile, type SaveOptions } from "../model/output.js";
export { Picture } from "../model/picture.js";
export type * from "../model/calls.js";
export type * from "../types/types.js";
