// The contract with wasm/bindings.cc. Private: nothing of it is exported from the package.
// Reports and options cross as JSON, bytes as views; no JavaScript exception ever crosses a frame of wasm.

export interface Binding {
  /** Opens a model among `files`. The option `path` selects one; with "" the core chooses. */
  open(files: BindingSource[], optionsJson: string): Opened;
  /** The definitions of TensorFlow's ops (a serialized OpList); before anything else. */
  setOps(opList: Uint8Array): boolean;
  /** The data of TensorFlow's releases and of other runtimes, which compat needs. */
  setReleases(histories: Uint8Array, runtimes: Uint8Array): void;
  /** Returns the meaning of a diagnostic's code; `model` is null. */
  explain(code: string): Opened;
  gathering(): GatheringBinding;
}

/** Chooses the files in which a model may be (core/formats/gathering.h). All paths have '/'. */
export interface GatheringBinding {
  addBelow(folder: string): void;
  addSiblings(path: string): void;
  addFile(path: string): void;
  /** Returns the next folder to list, "" for the current one; null at the end. */
  next(): string | null;
  /** Takes the names of that folder's files and of its folders. */
  add(files: string[], folders: string[]): void;
  files(): string[];
  /** Returns a folder of which not all files were taken, for the option `capped` of open(); "" if all were. */
  capped(): string;
  delete(): void;
}

/** A file of the host, as the core sees it. Neither method may throw. */
export interface BindingSource {
  /** Unique in this module instance; pieces of outputs name their source by it. */
  readonly id: number;
  /** The path relative to the opened folder, with '/': "variables/variables.index". */
  readonly name: string;
  /** In bytes; asked only when needed. 0 after a failure, which is remembered. */
  size(): number;
  /** Fills all of `into`, a view of wasm memory that must not be kept. Returns false if it failed or was canceled. */
  read(offset: number, into: Uint8Array): boolean;
}

/** The answer to a call of the core; `model` and `checks` are in wasm memory. */
export interface Answer {
  model?: Handle | null;
  checks?: PieceChecksBinding;
  report: string;
  status: number;
}

export interface Opened extends Answer {
  model: Handle | null;
}

/** An immutable model inside wasm memory; delete() when done. */
export interface Handle {
  /** `others`: the other models, of verbs that take several. */
  run(verb: string, optionsJson: string, others: readonly Handle[]): Opened;
  write(optionsJson: string): Answer & { files: WrittenFile[] | null; checks: PieceChecksBinding };
  /** Runs the verb draw: makes the file that the option `out` names, else the layout and the SVG. */
  draw(optionsJson: string, other: Handle | null): Answer & { files: WrittenFile[] | null; checks: PieceChecksBinding };
  /** `functionName`: in whose body the nodes are; "" for the main graph. */
  nodes(functionName: string): Answer & { columns: NodeColumns | null };
  /** All is in the report. `functionName`: in whose body it is; "" for the main graph. */
  node(name: string, functionName: string): Answer;
  weight(name: string): Answer & { weight: WeightBytes | null; checks: PieceChecksBinding };
  delete(): void;
}

/** The columns of a NodeTable as the core makes them: in the memory of typed arrays, which a worker transfers. */
export interface NodeColumns {
  /** UTF-8, one after the other. */
  names: Uint8Array;
  nameEnds: Uint32Array;
  /** Numbers in `opNames`. */
  ops: Uint32Array;
  opNames: string[];
  /** Numbers in `deviceNames`. */
  devices: Uint32Array;
  deviceNames: string[];
  /** The ends of each node's inputs in `inputs` and `ports`. */
  inputEnds: Uint32Array;
  /** A node by its place; -1 - i: none has the name `missing[i]`. */
  inputs: Int32Array;
  /** The output of that node; -1 for a control input. */
  ports: Int32Array;
  missing: string[];
  bytes: Float64Array;
}

/** The stored checksums of pieces. Both methods give "", or a list of diagnostics as JSON. */
export interface PieceChecksBinding {
  /** Takes bytes that were read of a piece; `at`: their offset in the range that its check covers. */
  take(check: number, at: number, bytes: Uint8Array): string;
  /** Reads and compares the bytes that these checks cover, and all others that an output depends on. */
  finish(checks: readonly number[]): string;
  delete(): void;
}

/** `path` is relative to the folder of the option `out`. */
export interface WrittenFile {
  path: string;
  size: number;
  pieces: Piece[];
}

/** Bytes of a source, by its id, never copied; or fresh bytes, safe to keep. `check`, `at`: the checksum that covers
 * them, and their offset in its range. */
export type Piece = { source: number; offset: number; size: number; check?: number; at?: number } | Uint8Array;

export interface WeightBytes {
  dtype: string;
  shape: number[];
  /** Little-endian, row-major. */
  pieces: Piece[];
}
