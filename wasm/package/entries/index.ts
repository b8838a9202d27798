// The public surface that `.`, `./worker` and `./inline` share.
export { CryographError } from "../api/errors.js";
export { NodeTable } from "../api/node_table.js";
export { OutputFile, type SaveOptions } from "../api/output.js";
export { Picture } from "../api/picture.js";
export type * from "../api/types.js";
