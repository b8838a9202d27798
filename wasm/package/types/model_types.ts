// Types of the reports of verbs on one model.
import type { Kind } from "./options.js";
import type { Integer, Parts, Report, TensorInfo, Where } from "./report.js";

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

export interface InspectReport extends Report {
  kind: Kind;
  /** The reason for this kind of file, if it could be read as another. */
  kindWhy?: string;
  /** The reasons why it cannot be run, in words. */
  lacks: string[];
  weights: "constants" | "checkpoint" | "variables" | "none";
  files: { path: string; bytes: Integer }[];
  producer: number;
  /** The releases that write this producer version: "TensorFlow 1.6 to 1.10". */
  madeBy?: string;
  minConsumer: number;
  /** The first release since TensorFlow 1.2 that is no earlier than minConsumer, if that excludes one. compat() has more. */
  loadsFrom?: string;
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
  /** The TensorFlow `release` would import it. */
  valid: boolean;
  /** The release whose rules a graph was checked against: "2.21.0"; compat() judges others. Absent without definitions of ops. */
  release?: string;
  /** No error around the graph either: checkpoint, signatures, assets. */
  sound: boolean;
  errors: number;
  warnings: number;
  notes: number;
  /** It has no graph: only its weights were checked. */
  weightsAlone?: true;
}

/** A cause that keeps a model from a target, with the first node that has it. */
export interface Blocker {
  /** "" if the cause is no node's. */
  node: string;
  op: string;
  /** The library function that has the node in its body. */
  function?: string;
  attr?: string;
  why: string;
  /** The number of nodes that have the cause; 1 if it is no node's. */
  count: Integer;
  /** It loads, and does not run: there is no kernel for the node on a CPU. */
  loads?: true;
  /** How to remove the cause, if an option does. */
  fix?: string;
  parts?: Pick<Parts, "fix">;
}

/** A TensorFlow release or another runtime. */
export interface TargetVerdict {
  /** "tensorflow-1.15", "tfjs", "tflite", "tflite-select", "onnx", "openvino", "opencv" */
  name: string;
  /** The version of a runtime or converter that its list of ops is from. */
  version?: string;
  loads: boolean;
  /** Each node has a kernel on a CPU. */
  runs: boolean;
  blockers: Blocker[];
  /** The fewest options that remove all blockers, if there are such: "freeze with --for tensorflow-1.4". All outputs stay. */
  fix?: string;
  /** A part of the graph that runs, if there is no fix: "without the first 3 of 8 layers: freeze with --inputs Mfcc". */
  cut?: string;
  parts?: Pick<Parts, "fix" | "cut">;
}

export interface CompatReport extends Report {
  /** TensorFlow's releases, the oldest first, then other runtimes; or those that the option names. */
  targets: TargetVerdict[];
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
  /** convert() and weights() with `salvage`: what is not whole, and was not taken. */
  lost?: {
    /** `weight`; the field of the graph that held the part: `node`, `function`, `versions`, ...; `bytes`: not known; `member` or `directory` of an archive; `directory`, `block` or `header` of a checkpoint's index. */
    what: string;
    name?: string;
    /** A weight's. */
    dtype?: string;
    /** A weight's. */
    shape?: TensorInfo["shape"];
    bytes: Integer;
    code: string;
    why: string;
    file?: string;
    offset?: Integer;
  }[];
  /** convert() and weights() of a graph with `salvage`: nodes that need nodes or functions that are not there. */
  incomplete?: { node: string; needs: string[] }[];
  /** edit() with `join`: the name of the second model. */
  joined?: string;
  /** edit() with `redact`: words of names that were replaced, and tensors whose values were, with the bytes that these took. */
  redacted?: { names: Integer; tensors: Integer; bytes: Integer };
  /** With `inference` or `for`, with optimizations, and of edit(): what was changed, with the evidence for each. */
  changes?: {
    node: string;
    change:
      | "set"
      | "dropout"
      | "range"
      | "branch"
      | "replica"
      | "training-loop"
      | "batch-normalization"
      | "input"
      | "folded-batch-normalization"
      | "folded-constant"
      | "merged"
      | "stored-smaller"
      | "renamed"
      | "constant"
      | "placeholder"
      | "sizes"
      | "signature"
      | "joined"
      | "connected"
      | "older-form";
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
