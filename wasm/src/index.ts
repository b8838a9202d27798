// The public surface that `.`, `./worker` and `./inline` share.
export { CryographError } from "./errors.js";
export { OutputFile, type SaveOptions } from "./output.js";
export type * from "./types.js";
