import type { NodeColumns } from "../core/binding.js";
import type { PackedReleases } from "../core/releases.js";
import type { Entry, Gathered } from "../source/entry.js";
import type { Diagnostic, InitOptions, PictureReport, Report, WriteReport } from "../types/types.js";

// The messages between a page and its worker. Requests are answered in order, one at a time; files are passed by
// reference.

export type Plain = Record<string, unknown>;

/** A call of a model's method, whose last argument is its options. Models among them are references. */
export interface Call {
  method: string;
  args: readonly unknown[];
  options: Plain;
}

/** A model in a message: by its number in the worker, or by the steps that make it. */
export type ModelReference = { $model: number } | { $steps: readonly Step[] };

/** How a model came about; the same steps make it again in a fresh worker. */
export type Step = { open: Gathered; options: Plain } | Call;

export type Init = { do: "init"; options: InitOptions };
/**
 * `make` makes a model and runs calls on it, `call` runs calls on a model: each on the model that the one before it made,
 * if it made one. Their answer is a list of results.
 */
export type Request =
  | Init
  | { do: "make"; steps: readonly Step[]; calls: readonly Call[] }
  | { do: "call"; model: number; calls: readonly Call[] }
  | { do: "explain"; code: string }
  | { do: "releases"; releases: PackedReleases }
  | { do: "close"; model: number };

export type Envelope<Asked = Request> = { id: number; progress: boolean; request: Asked };

export type Answer = { id: number; value: unknown } | { id: number; error: WireError } | { id: number; bytes: number };

/** The result of a call. Objects of the package are made again on the other side. */
export type Result =
  | { model: number; report: Report }
  | { written: WrittenParts }
  | { picture: DrawnPicture }
  | { nodes: NodeColumns }
  | { value: unknown };

export interface DrawnPicture {
  report: PictureReport;
  layout: string;
  svg: string;
}

/** Parts name their file by its place in `sources`. */
export interface WrittenParts {
  files: { path: string; parts: (Uint8Array | { source: number; offset: number; size: number })[] }[];
  sources: Entry[];
  report: WriteReport;
}

export interface WireError {
  message: string;
  diagnostics: Diagnostic[] | null;
  report: Report | null;
  cause: string | null;
  status: number;
}

/** A channel to the other side, the same for a page's Worker and for Node's. */
export interface Port {
  /** The place of the other side's script, for people; "" if it cannot be missing. */
  readonly address: string;
  post(message: unknown): void;
  /** `lost`: called if the other side ended by itself. */
  listen(message: (data: unknown) => void, lost: (error: unknown) => void): void;
  terminate(): void;
  /** Node: whether this channel keeps the process alive. */
  hold(busy: boolean): void;
}
