// The types of the package's public interface: inputs, options and reports, named as on the command line and in --json.
export type * from "./call_options.js";
export type * from "./codes.js";
export type * from "./input.js";
export type * from "./look_types.js";
export type * from "./model_types.js";
export type * from "./options.js";
export type * from "./pair_types.js";
export type * from "./picture_types.js";
export type * from "./report.js";
export type { Reference } from "./references.js";
