// Types of the verbs that take two models: transfer and diff.

import type { PassReport } from "./model_types.js";
import type { Integer, Report, Shape, TensorInfo } from "./report.js";

/** The outcome for a variable. For a `mismatched` one `why` describes the weight that was found. */
export interface VariableMatch extends TensorInfo {
  /** The weight found for it. */
  from?: string;
  why: string;
  bytes?: Integer;
}

/** A variable that took the constant of the graph's own initializer: of the nodes `from`. */
export interface InitialValue extends TensorInfo {
  from: string[];
}

/** matched, excluded, mismatched and unmatched together are all variables of the target. */
export interface TransferReport extends PassReport {
  /** The model whose weights were taken. */
  from: string;
  matched: VariableMatch[];
  excluded: VariableMatch[];
  mismatched: VariableMatch[];
  unmatched: VariableMatch[];
  /** Variables of the lists above with neither a weight nor a value in the target's checkpoint. */
  initial: InitialValue[];
  /** Weights that no variable took. */
  unused: string[];
}

/** In the main graph, unless `function` names another. */
export interface NodePlace {
  name: string;
  function?: string;
}

/** The differences of a node, as [in this model, in the other]; `attrs` are names. */
export interface NodeChange extends NodePlace {
  op?: [string, string];
  inputs?: [string[], string[]];
  attrs?: string[];
  device?: true;
}

export interface NameChanges {
  added: string[];
  removed: string[];
  changed: string[];
}

/** `other`: its name in the other model, if it differs, and `why` they are paired. */
export interface ComparedWeight extends TensorInfo {
  other?: string;
  why?: string;
}

/** Either type or shape is another, or elements differ. Infinity is "infinity", as JSON has none. */
export interface ElementDifference {
  otherDtype?: string;
  otherShape?: Shape;
  elements?: Integer;
  /** Number of elements whose bits differ. */
  count?: Integer;
  /** Index of the first of them, row-major, and its position in the shape. */
  firstIndex?: Integer;
  firstPosition?: Integer[];
  largestAbsolute?: number | "infinity";
  largestRelative?: number | "infinity";
  /** How many of them are NaN on a side. */
  nans?: Integer;
}

export interface DifferingWeight extends ComparedWeight, ElementDifference {}

export interface DiffReport extends Report {
  other: string;
  equal: boolean;
  /** null: one of the two has no graph. */
  structure: {
    equal: boolean;
    added: NodePlace[];
    removed: NodePlace[];
    changed: NodeChange[];
    functions: NameChanges;
    signatures: NameChanges;
  } | null;
  /** missing: only in this model; extra: only in the other. */
  weights: { equal: ComparedWeight[]; differing: DifferingWeight[]; missing: string[]; extra: string[] };
}
