// Types that all reports have: diagnostics, shapes, tensors.
import type { Code } from "./codes.js";
import type { Reference } from "./references.js";

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
  cut?: TextPart[];
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
