// The types of the package's public interface: inputs, options and reports, named as on the command line and in --json.
import type { Code } from "./codes.js";
import type { OpenTable } from "./options.js";
import type { Reference } from "./references.js";

export type * from "./calls.js";
export type * from "./codes.js";
export type * from "./look_types.js";
export type * from "./options.js";
export type * from "./pair_types.js";
export type * from "./picture_types.js";
export type { Reference } from "./references.js";

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

/** A part of a text: words that are the same for every host, or a reference that each host words. */
export type TextPart = string | Reference;

/** The texts that have references, by their parts. */
export interface Parts {
  message?: TextPart[];
  fix?: TextPart[];
}

export interface Diagnostic {
  severity: Severity;
  code: Code;
  where: Where;
  /** The fault, in the words TensorFlow uses if it has words. */
  message: string;
  /** The suggested fix. */
  fix: string;
  fixable: boolean;
  /** The texts as data: programs may word them, or carry out the fix. */
  parts?: Parts;
}

/** Every report has these; a verb adds its own. 64-bit integers beyond 2^53 are strings. */
export interface Report {
  verb: string;
  model: string;
  diagnostics: Diagnostic[];
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
  /** A signature names it, or it is the only end of a frozen graph. */
  certain: boolean;
  /** On outputs: freeze and prune take this one if none is named. */
  chosen?: boolean;
  /** It has a default value: a PlaceholderWithDefault. */
  optional?: true;
}

export type Kind =
  "graph-def" | "meta-graph" | "saved-model" | "checkpoint" | "tfjs-graph-model" | "npz" | "safetensors";

export interface InspectReport extends Report {
  kind: Kind;
  /** The reason for this kind of file, if it could be read as another. */
  kindWhy?: string;
  /** The reasons why it cannot be run, in words. */
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
    count: number;
    bytes: Integer;
    parameters: Integer;
    trainable: number;
    slots: { count: number; bytes: Integer };
    averages: { count: number; bytes: Integer };
    missing: string[];
  };
  constants: { count: number; bytes: Integer };
  /** Bytes of the weights that are present, by the outermost scope of their names; "" for names without one. */
  bytesByScope: Record<string, Integer>;
  /** Ops that TensorFlow does not have. */
  unknownOps: string[];
  bytes: Integer;
}

export interface WeightInfo extends TensorInfo {
  bytes: Integer;
  source: "constant" | "variable" | "checkpoint";
  /** The node of a graph's weight; a checkpoint alone has neither nodes nor trainable variables. */
  node?: string;
  trainable?: boolean;
  /** The place of a partitioned variable in the whole one, as checkpoints write it. */
  slices?: string[];
  /** The variable's name when TensorFlow 2 saved it; only for a checkpoint without a graph, if it is known. */
  fullName?: string;
  /** The role of a weight that training added, the variable it belongs to, and how that was found (`why`). */
  role?: "slot" | "average";
  of?: string;
  /** On a constant: why unfreeze() makes it a variable, and how certain that is. */
  why?: string;
  confidence?: Confidence;
}

/** A node of list("nodes"); node() has more of one. */
export interface NodeRow {
  name: string;
  op: string;
  inputs: string[];
  device: string;
}

export interface FunctionInfo {
  name: string;
  nodes: number;
}

export interface OpCount {
  op: string;
  count: number;
}

/** A file of a SavedModel's assets folder. */
export interface AssetInfo {
  name: string;
  path: string;
  /** null: the file is missing. */
  bytes: Integer | null;
  /** The tensor that takes its path. */
  tensor: string;
}

export interface CollectionInfo {
  name: string;
  count: number;
}

/** The lists of a model, by name. */
export interface Lists {
  nodes: NodeRow[];
  ops: OpCount[];
  weights: WeightInfo[];
  inputs: Endpoint[];
  outputs: Endpoint[];
  signatures: Record<string, Signature>;
  functions: FunctionInfo[];
  assets: AssetInfo[];
  collections: CollectionInfo[];
}

export type What = keyof Lists;

/** A list, as the member with its name: list("weights") has `weights`. */
export type ListReport<W extends What = What> = W extends What ? Report & { what: W } & Pick<Lists, W> : never;

export interface ValidateReport extends Report {
  /** TensorFlow would import it. */
  valid: boolean;
  /** No error around the graph either: checkpoint, signatures, assets. */
  sound: boolean;
  errors: number;
  warnings: number;
  notes: number;
  /** It has no graph: only its weights were checked. */
  weightsAlone?: true;
}

/** The meaning of a diagnostic's code. */
export interface Explanation extends Report {
  code: string;
  explanation: string;
  /** The fix; "" if each diagnostic has its own. */
  fix: string;
  /** The effect of repair(); "" for a code that it cannot repair. */
  repair: string;
  parts?: Pick<Parts, "fix">;
}

/** The report of repair(): the verdict on the new model, and the repairs made. */
export interface RepairReport extends ValidateReport {
  repaired: { code: string; where: Where; what: string }[];
}

export interface Totals {
  nodes: Integer;
  variables: Integer;
  constants: Integer;
  bytes: Integer;
}

/** certain: freezing left a record, or it was requested. high: used, read or named as a weight. fair: constants of the model are used so, too. */
export type Confidence = "certain" | "high" | "fair";

/** The report of a verb that makes a model. */
export interface PassReport extends Report {
  before: Totals;
  after: Totals;
  /** The outputs that the graph ends at; `guess`: they are not certain. */
  graphOutputs?: string[];
  guess?: true;
  removed: string[];
  /** With `verbose`: for each node the next on a shortest way to an output; null for an output. */
  neededBy?: Record<string, string | null>;
  /** `why` and `confidence` of unfreeze(): how it was found that the constant is a weight. */
  converted: ({ from: string; to: string; bytes: Integer; why?: string; confidence?: Confidence } & TensorInfo)[];
  /** unfreeze(): constants that may be weights (`fair`) and remain constants; `constants: ["auto", NAME]` takes them. */
  candidates?: PassReport["converted"];
  /** With `inference` and with optimizations: what was changed, with the evidence for each. */
  changes?: {
    node: string;
    change:
      | "set"
      | "dropout"
      | "batch-normalization"
      | "input"
      | "folded-batch-normalization"
      | "folded-constant"
      | "merged"
      | "stored-smaller";
    why: string;
    /** Also for an original whose training switches are fed. */
    changesNumbers: boolean;
  }[];
}

/** The lines of a program that loads what was written, by its names. */
export interface Snippet {
  language: "python" | "javascript";
  lines: string[];
}

/** The report of write(). */
export interface WriteReport extends Report {
  outputs: { path: string; bytes: Integer }[];
  /** How much is compared with its stored checksum: now, or when the files are read. */
  checked: { tensors: Integer; bytes: Integer };
  /** With the option `snippet`. */
  snippet?: Snippet;
}

/** A list, or as on the command line: names between commas. `\\,` is a comma in a name. */
export type Names = string | readonly string[];

/** A value of a placeholder; a list of the placeholder's shape. */
export type SetValue = boolean | number | bigint | string | readonly SetValue[];

/** Values of placeholders by name, or a list of "NAME=VALUE". */
export type SetValues = Names | Readonly<Record<string, SetValue>>;

/** Options of every call that may read a lot. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Bytes read so far by this call. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** Bytes read or written so far. */
  bytes: number;
}

/** The bytes of a file, of any realm. Bytes are not copied, so they must not change while a model of them is open. */
export type Data = Blob | ArrayBufferView | ArrayBufferLike;

/** Options of open(). */
export interface OpenOptions extends OpenTable {
  /** Reads whole files into memory from a server that knows no range requests. Limit: 1 GiB each. */
  download?: boolean;
}

/** A file that is read into memory by open(). Limit: 1 GiB. */
export type StreamedData = Response | ReadableStream<Uint8Array>;

/** A page's FileList. */
export type Files = ArrayLike<Blob>;

/** Items that were dropped on a page: a DataTransferItemList. */
export type DroppedItems = ArrayLike<{
  readonly kind: string;
  getAsFile(): Blob | null;
  webkitGetAsEntry(): object | null;
}>;

/** A FileSystemFileHandle or FileSystemDirectoryHandle. */
export interface PickedHandle {
  readonly kind: "file" | "directory";
  readonly name: string;
  isSameEntry(other: never): Promise<boolean>;
}

/**
 * Anything a model can be opened from. Several files are a list, or a record or Map by their names with folders.
 *
 * A string is a path, which needs Node as a `file:` URL does, or an http(s) address: of a file, of a checkpoint's file or
 * prefix, or of a SavedModel's or TensorFlow.js model's file or folder (with '/' at its end). What belongs to the model is looked
 * for next to it. Of a server's files only parts are read, by range requests; at most 32 MB of each are kept, and what is written
 * is read again. In this thread inspect(), list(), nodes() and node() fail with "bytes-not-here" in the rare case that they need
 * bytes that are not kept; in a worker all calls wait. blob() of what is written of them always does.
 */
export type Input =
  | string
  | URL
  | Data
  | StreamedData
  | readonly (Data | StreamedData | URL)[]
  | Readonly<Record<string, Data | StreamedData | URL>>
  | ReadonlyMap<string, Data | StreamedData | URL>
  | Files
  | DroppedItems
  | PickedHandle;

export interface InitOptions {
  /** The address of core.wasm; by default next to the module. */
  wasmUrl?: string | URL;
  /** Its bytes. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Or the compiled WebAssembly.Module, where compiling is not allowed at run time. */
  wasmModule?: object;
  /** `cryograph/worker`: how many workers share the models, each of which is in one. Default: 1. Limit: 64. */
  workers?: number;
  /** `cryograph/worker`: the address of worker_host.js, which loads ops.js next to it. Default: next to the module. */
  workerUrl?: string | URL;
  /** `cryograph/worker`: makes a worker whose script imports "cryograph/worker_host". It is called for each one that is needed. */
  worker?: () => WorkerLike;
}

/** A page's Worker or one of node:worker_threads. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
}
