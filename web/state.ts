import type { Diagnostic, InspectReport, Model, Pass, PassReport, ValidateReport } from "./engine.js";

/** A file that can be downloaded: a list of pieces of the person's own files behind an object URL. */
export interface Download {
  name: string;
  size: number;
  url: string;
}

/** One way to save a model: files that belong together. */
export interface Form {
  title: string;
  files: Download[];
}

/** A model as it was last saved, and what writing noticed. */
export interface Saved {
  form: Form;
  remarks: Diagnostic[];
}

/** What a pass came to. */
export interface Made {
  pass: Pass;
  report: PassReport;
  forms: Form[];
  /** What writing noticed. */
  remarks: Diagnostic[];
}

/** What the person asked of a model: the names ticked, and what was typed. */
export interface Choice {
  outputs: ReadonlySet<string>;
  more: string;
  inputs: string;
}

/** A model on the way: the one opened, then one for each pass. None ever changes; going back is to look at another. */
export interface Step {
  title: string;
  model: Model;
  about: InspectReport;
  choice: Choice;
  made: Made | null;
  verdict: ValidateReport | null;
  saved: Saved | null;
}

/** Something is being worked on. */
export interface Busy {
  doing: string;
  bytes: number;
  stop: AbortController;
}

export interface Failure {
  title: string;
  diagnostics: Diagnostic[];
}

export interface State {
  steps: readonly Step[];
  /** Which step is looked at. */
  at: number;
  busy: Busy | null;
  failure: Failure | null;
  /** Files are being dragged over the window. */
  dragging: boolean;
  /** For the live region. */
  said: string;
}
