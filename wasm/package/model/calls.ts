// The functions of the package and the calls of a model, which `cryograph`, `cryograph/worker` and `cryograph/inline` share.
import type { PassCalls } from "../types/calls.js";
import type { Code } from "../types/codes.js";
import type { NodeTable } from "./node_table.js";
import type { OutputFile } from "./output.js";
import type { Picture } from "./picture.js";
import type {
  CallOptions,
  CompatOptions,
  CompatReport,
  DiffOptions,
  DiffReport,
  Explanation,
  InitOptions,
  Input,
  InspectOptions,
  InspectReport,
  ListOptions,
  ListReport,
  NodeOptions,
  NodeReport,
  OpenOptions,
  PictureOptions,
  RepairReport,
  Report,
  Statistics,
  ValidateOptions,
  ValidateReport,
  Weight,
  WeightOptions,
  What,
  WriteOptions,
  WriteReport,
} from "../types/types.js";

export type { PassCalls };

/** The functions of an entry point. `Opened`: its models. */
export interface Package<Opened> {
  /**
   * Sets where the core and the worker come from. Nothing is loaded before the first call that needs it. Models that are
   * open stay so, but are not for one call with those that are opened later. Fails with "bad-argument".
   */
  init(options?: InitOptions): Promise<void>;
  /**
   * Opens a model. Its bytes stay where they are: only the parts that are needed are read. Bytes, Blobs and files must
   * not change until the model, and those made of it, are closed.
   *
   * Fails with "bad-input" for something that is no file, "no-model" or "several-models" for files without or with many,
   * "read-failed", "core-not-loaded" (with the address, what came from there, and what to do), or a code of what is
   * damaged: see explain().
   */
  open(input: Input, options?: OpenOptions): Promise<Opened>;
  /** Returns the meaning of a code that the core raises. Fails with "unknown-code" for one that does not exist. */
  explain(code: Code | (string & {})): Promise<Explanation>;
}

/** The place of a model: this thread, or a worker. */
export type Place = "here" | "worker";

/** The result of a call that takes no time: at once in this thread, from a worker a promise. */
export type Reply<Where extends Place, T> = Where extends "here" ? T : Promise<T>;

/** The files that write() made, and its report. */
export type WrittenFiles = OutputFile[] & { report: WriteReport };

/**
 * The calls of a model. A model is immutable: prune(), freeze() and their like return a new one. `This`: the models that
 * they return and take; `Where`: inspect(), list(), nodes() and node() return at once in this thread.
 *
 * Every call fails with "model-closed" after close(), "bad-argument" or "bad-option" for a wrong argument (nothing else is
 * harmed), the signal's reason when it is aborted, "read-failed" or "source-changed" when a file cannot be read as it was,
 * "checksum" when what was read is damaged, and "out-of-memory" or "core-lost" when the core ends: then all models
 * of this instance are lost, and a later open() makes another.
 */
export interface ModelCalls<This, Where extends Place> extends PassCalls<This> {
  /** The report of the call that made this model: findings of open(), or the nodes that a pass removed and converted. */
  readonly report: Report;

  /** Reports the format, likely inputs and outputs, signatures, and sizes of weights. */
  inspect(options?: InspectOptions): Reply<Where, InspectReport>;

  /** Returns one list of the model, as the member of the report that has its name. */
  list<W extends What>(what: W, options?: ListOptions): Reply<Where, ListReport<W>>;

  /** Returns all nodes in columns, for those who show or search many: list("nodes") has an object for each. */
  nodes(options?: NodeOptions): Reply<Where, NodeTable>;

  /** Returns a node by name: its attributes, what feeds it, what it feeds. Fails with "not-in-graph". */
  node(name: string, options?: NodeOptions): Reply<Where, NodeReport>;

  /** Reports every fault; `valid` is the verdict, and no error is thrown for a model that is not. */
  validate(options?: ValidateOptions): Promise<ValidateReport>;

  /**
   * Reports which TensorFlow releases and other runtimes load and run the graph, and what stops the others. Its data is loaded when
   * it is called first. Fails with "ops-not-loaded" or "no-graph".
   */
  compat(options?: CompatOptions): Promise<CompatReport>;

  /** Returns the model with everything repaired that is `fixable`, i.e. without a guess. Its report is the verdict on it. */
  repair(options?: ValidateOptions): Promise<This & { report: RepairReport }>;

  /** Reports how this model and another differ, bit for bit; `equal` is the verdict. */
  diff(other: This, options?: DiffOptions): Promise<DiffReport>;

  /** Returns the files of this model in a format. Nothing is copied: a file is a list of fresh bytes and pieces of the inputs. */
  write(options?: WriteOptions): Promise<WrittenFiles>;

  /** Returns a picture: nested boxes and edges, as SVG and as numbers. */
  picture(options?: PictureOptions<This>): Promise<Picture>;

  /** Returns a variable's or a constant's value, or a part of it, by name. Fails with "weight-not-found". */
  weight(name: string, options?: WeightOptions): Promise<Weight>;

  /**
   * Returns statistics of a value's numbers. The value is read in steps, whatever its size, and other work runs between
   * them. Fails with "weight-not-found" or "dtype-without-numbers".
   */
  statistics(name: string, options?: CallOptions): Promise<Statistics>;

  /** Frees the memory, and the files unless another model needs them. `using` calls it, too. */
  close(): void;

  [Symbol.dispose](): void;
}

/** A model of either entry point. `await` suits the results of all calls. Models of two are not for one call. */
export interface AnyModel extends ModelCalls<AnyModel, Place> {
  readonly report: Report;
}
