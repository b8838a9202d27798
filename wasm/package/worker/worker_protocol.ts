import type { Entry, Gathered } from "../source/gather.js";
import type { Diagnostic, InitOptions, PictureReport, Report, WriteReport } from "../api/types.js";

// The messages between a page and its worker. Requests are answered in order, one at a time; files are passed by
// reference.

export type Plain = Record<string, unknown>;

/** How a model came about; the same steps make it again in a fresh worker. */
export type Step =
  { open: Gathered; options: Plain } | { pass: Pass; options: Plain } | { transfer: Step[]; options: Plain };
export type Pass = "prune" | "freeze" | "unfreeze" | "weights" | "convert" | "repair";
export type Question = "inspect" | "list" | "validate";

export type Init = { do: "init"; options: InitOptions };
export type Request =
  | Init
  | { do: "make"; steps: Step[] }
  | { do: "pass"; model: number; pass: Pass; options: Plain }
  | { do: "transfer"; model: number; other: number; options: Plain }
  | { do: "diff"; model: number; other: number; options: Plain }
  | { do: "ask"; model: number; question: Question; options: Plain }
  | { do: "write"; model: number; options: Plain }
  | { do: "picture"; model: number; other?: number; options: Plain }
  | { do: "nodes"; model: number; options: Plain }
  | { do: "node"; model: number; name: string; options: Plain }
  | { do: "weight"; model: number; name: string; options: Plain }
  | { do: "statistics"; model: number; name: string }
  | { do: "explain"; code: string }
  | { do: "close"; model: number };

export type Envelope<Asked = Request> = { id: number; progress: boolean; request: Asked };

export type Answer = { id: number; value: unknown } | { id: number; error: WireError } | { id: number; bytes: number };

export interface MadeModel {
  model: number;
  report: Report;
}

export interface DrawnPicture {
  report: PictureReport;
  layout: string;
  svg: string;
}

/** Parts name their file by its place in `sources`. */
export interface WrittenModel {
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
  post(message: unknown): void;
  /** `lost`: called if the other side ended by itself. */
  listen(message: (data: unknown) => void, lost: (error: unknown) => void): void;
  terminate(): void;
  /** Node: whether this channel keeps the process alive. */
  hold(busy: boolean): void;
}
