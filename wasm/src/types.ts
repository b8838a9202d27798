// What the package's callers hold: inputs, options and reports, named as on the command line and in --json.

export type Severity = "error" | "warning" | "note";

export interface Where {
  graph?: string;
  function?: string;
  node?: string;
  input?: number;
  attr?: string;
  file?: string;
  offset?: number | string;
  tensor?: string;
}

export interface Diagnostic {
  severity: Severity;
  /** Stable, kebab-case. */
  code: string;
  where: Where;
  /** What is wrong, in the words TensorFlow uses where it has words. */
  message: string;
  /** What to do. */
  fix: string;
  fixable: boolean;
}

/** Every report has these; a verb adds its own. 64-bit integers beyond 2^53 are strings. */
export interface Report {
  verb: string;
  model: string;
  diagnostics: Diagnostic[];
  [more: string]: unknown;
}

export type Integer = number | string;
/** -1: unknown size; null: unknown rank. */
export type Shape = Integer[] | null;

export interface TensorInfo {
  name: string;
  dtype: string;
  shape: Shape;
}

export interface Signature {
  method: string;
  inputs: Record<string, TensorInfo>;
  outputs: Record<string, TensorInfo>;
}

export interface Endpoint extends TensorInfo {
  why: string;
}

export type Kind =
  | "graph-def" | "meta-graph" | "saved-model" | "checkpoint" | "tfjs-graph-model" | "npz" | "safetensors";

export interface InspectReport extends Report {
  kind: Kind;
  /** Why it was read as this kind of file, where it could be another. */
  kindWhy?: string;
  /** What it lacks to be run, in words. */
  lacks: string[];
  weights: "constants" | "checkpoint" | "variables" | "none";
  files: { path: string; bytes: Integer }[];
  producer: number;
  minConsumer: number;
  tensorflowVersion: string;
  tags: string[];
  signatures: Record<string, Signature>;
  /** Likely ones, best first. */
  inputs: Endpoint[];
  outputs: Endpoint[];
  /** false: the outputs are a guess among several. */
  outputsCertain: boolean;
  nodes: number;
  ops: Record<string, number>;
  functions: number;
  /** `slots` (of optimizers) and `averages` (moving ones) are among the `count`. */
  variables: {
    count: number; bytes: Integer; parameters: Integer; trainable: number;
    slots: { count: number; bytes: Integer }; averages: { count: number; bytes: Integer }; missing: string[];
  };
  constants: { count: number; bytes: Integer };
  /** Of the weights that are here, by the outermost scope of their names; "" for names without one. */
  bytesByScope: Record<string, Integer>;
  unknownOps: unknown;
  bytes: Integer;
}

export type What =
  | "nodes" | "ops" | "weights" | "inputs" | "outputs" | "signatures" | "functions" | "assets" | "collections";

export interface WeightInfo extends TensorInfo {
  bytes: Integer;
  source: "constant" | "variable" | "checkpoint";
  node: string;
  trainable: boolean;
  slices: unknown[];
  /** What the variable was called when TensorFlow 2 saved it; of a checkpoint alone, where it is known. */
  fullName?: string;
  /** What training keeps beside the model's own: of which variable, and how that was found. */
  role?: "slot" | "average";
  of?: string;
  why?: string;
}

/** The list stands under the name of what was asked for: `report.weights`. */
export interface ListReport extends Report {
  weights?: WeightInfo[];
}

export interface ValidateReport extends Report {
  /** TensorFlow would import it. */
  valid: boolean;
  /** Nothing else is wrong either. */
  sound: boolean;
}

export interface Totals {
  nodes: Integer;
  variables: Integer;
  constants: Integer;
  bytes: Integer;
}

/** Of prune, freeze, unfreeze and convert. */
export interface PassReport extends Report {
  before: Totals;
  after: Totals;
  removed: unknown;
  converted: ({ from: string; to: string; bytes: Integer } & TensorInfo)[];
}

/** A list, or as on the command line: names between commas. */
export type Names = string | readonly string[];

/** For every call that may read a lot. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Bytes read so far by this call. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** Bytes read or written so far. */
  bytes: number;
}

export interface ModelOptions {
  tag?: Names;
  signature?: Names;
  checkpoint?: string;
}

/** Options of the command line that have no member here pass through under their camelCase names. */
interface More {
  verbose?: boolean;
  [option: string]: unknown;
}

export interface OpenOptions extends CallOptions, ModelOptions, More {}
export interface InspectOptions extends CallOptions, ModelOptions, More {
  checksum?: boolean;
}
export interface ListOptions extends CallOptions, ModelOptions, More {}
export interface ValidateOptions extends CallOptions, ModelOptions, More {
  checksum?: boolean;
  strict?: boolean;
}
export interface PruneOptions extends CallOptions, ModelOptions, More {
  outputs?: Names;
  inputs?: Names;
  /** Byte for byte what TensorFlow's own tool gives (extract_sub_graph, freeze_graph): a plain graph. */
  likeTensorflow?: boolean;
  /** "NAME=VALUE": a placeholder gets a fixed value ("is_training=false"), and what that decides is decided. */
  set?: Names;
}
export interface FreezeOptions extends PruneOptions {
  /** Globs (`*` within a scope, `**` across scopes, `/regular expression/`): only these variables become constants. Write what then still has variables as a checkpoint or a SavedModel. */
  variables?: Names;
  /** Globs: these stay variables. */
  keepVariables?: Names;
}
export interface UnfreezeOptions extends CallOptions, More {
  constants?: Names;
  exclude?: Names;
  style?: "ref" | "resource";
}
export interface WeightsOptions extends CallOptions, ModelOptions, More {
  /** Rules for names, "FROM=TO": FROM a glob, whose stars are carried over to TO; or /expression/, whose groups are \1 to \9 in TO. */
  rename?: Names;
  /** Without optimizer slots and step counters. */
  noSlots?: boolean;
}
export interface ConvertOptions extends CallOptions, ModelOptions, More {}
export type OutputKind =
  | "pb" | "pbtxt" | "meta" | "meta-pbtxt" | "checkpoint" | "checkpoint-v1" | "savedmodel" | "savedmodel-pbtxt" | "tfjs"
  | "npz" | "safetensors";
export interface WriteOptions extends CallOptions, More {
  as?: OutputKind;
  /** Names the outputs, as `-o` does; nothing is written there by this call. */
  out?: string;
  /** Bytes of a TensorFlow.js model's weight files, 4 MiB where it is not said; of a checkpoint's data files, else all in one. */
  shardSize?: number;
}

export type TypedArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float32Array | Float64Array;

/** float16 and bfloat16 come as raw 16 bits, complex numbers as pairs, strings as the bytes of each. */
export interface Weight {
  dtype: string;
  shape: number[];
  data: TypedArray | Uint8Array[];
}

export type Data = Blob | Uint8Array | ArrayBuffer;

/** Anything a model can be opened from. A string is a path, and needs Node; so does a `file:` URL. */
export type Input =
  | string
  | URL
  | Data
  | readonly Data[]
  | Readonly<Record<string, Data>>
  | FileList
  | DataTransferItemList
  | FileSystemDirectoryHandle
  | FileSystemFileHandle;

export interface InitOptions {
  /** Where core.wasm is; by default beside the module. */
  wasmUrl?: string | URL;
  /** Its bytes. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Or the compiled module, where compiling is not allowed at run time. */
  wasmModule?: WebAssembly.Module;
}
