// The page's texts about one model: its format, its changes, its findings.
import type {
  Diagnostic,
  DiffReport,
  InspectReport,
  Kind,
  PassReport,
  RepairReport,
  TransferReport,
  ValidateReport,
} from "../app/engine.js";
import type { Pass } from "../app/state.js";
import { count, counted } from "./format.js";

export const kKinds: Record<Kind, string> = {
  "graph-def": "GraphDef",
  "meta-graph": "MetaGraphDef",
  "saved-model": "SavedModel",
  checkpoint: "Checkpoint",
  "tfjs-graph-model": "TensorFlow.js graph model",
  npz: "NumPy archive",
  safetensors: "safetensors",
};

const kGraphs: Partial<Record<Kind, string>> = {
  "meta-graph": "A graph with its collections, as tf.train.Saver writes it",
  "saved-model": "A SavedModel",
  "tfjs-graph-model": "A TensorFlow.js model",
};

/** A checkpoint or arrays, without a graph. */
export function isWeightsAlone({ kind }: InspectReport): boolean {
  return kind === "checkpoint" || kind === "npz" || kind === "safetensors";
}

/** The parts of a model that were not among the files; "" for none. */
export function missingParts({ kind, weights }: InspectReport, diagnostics: readonly Diagnostic[]): string {
  for (const { parts } of diagnostics)
    for (const part of parts?.fix ?? [])
      if (typeof part !== "string" && part.action === "give-files") return `${part.files}.`;
  if (kind === "checkpoint") return "the graph: its .meta file, a .pb, or the SavedModel that the checkpoint is of.";
  return weights === "variables" ? "the values of its variables: the checkpoint's .index and .data files." : "";
}

/** Returns a sentence or two on the recognized format and the reason. */
export function recognised(about: InspectReport): string {
  const { kind, weights, variables, constants } = about;
  const values = `${counted(variables.count, "variable")} with ${counted(variables.parameters, "parameter")}`;
  if (kind === "checkpoint") return `A checkpoint without its graph: ${values}.`;
  if (kind === "npz" || kind === "safetensors") return `Weights without a graph: ${values}. ${kForTransfer}`;
  const graph = kGraphs[kind] ?? "A graph by itself";
  switch (weights) {
    case "checkpoint":
      return `${graph}, together with its checkpoint: ${values}${missing(about)}.`;
    case "variables":
      return `${graph}. It has ${values}, but their values are not here: to freeze it, add its checkpoint.`;
    case "constants":
      return `${kind === "tfjs-graph-model" ? graph : "A frozen graph"}: its weights are among its ${counted(constants.count, "constant")}.`;
    case "none":
      return `${graph}, with neither variables nor constants.`;
  }
}

function missing({ variables }: InspectReport): string {
  const { length } = variables.missing;
  return length === 0 ? ", all of them found" : `, ${count(length)} of them without a value`;
}

const kForTransfer = "They can go into a model of the same names: open that one, and take Transfer.";

export function producer({ tensorflowVersion, producer: version }: InspectReport): string {
  if (tensorflowVersion) return tensorflowVersion;
  return version > 0 ? `not said; graph version ${version}` : "not said";
}

const kBecame: Record<Exclude<Pass, "repair">, readonly [done: string, what: string, became: string]> = {
  freeze: ["Frozen", "variable", "constant"],
  unfreeze: ["Un-frozen", "constant", "variable"],
  prune: ["Pruned", "", ""],
  transfer: ["Transferred", "", ""],
};

/** The result of a pass, in one line. */
export function made(pass: Pass, report: PassReport): string {
  if (pass === "repair") return mended(report as unknown as RepairReport);
  const [done, what, became] = kBecame[pass];
  const { before, after, converted } = report;
  if (pass === "prune") return `${done}: ${counted(before.nodes, "node")} became ${count(after.nodes)}`;
  if (pass === "transfer")
    return `${done}: ${counted((report as TransferReport).matched.length, "variable")} took a weight`;
  return `${done}: ${counted(converted.length, what)} became ${converted.length === 1 ? `a ${became}` : `${became}s`}`;
}

/** Files were written into a folder. */
export function saved(files: number, folder: string): string {
  return `${counted(files, "file")} written into the folder ${folder}`;
}

export function mended({ repaired }: RepairReport): string {
  return `Mended: ${counted(repaired.length, "fault")}`;
}

export function differs({ equal, structure, weights }: DiffReport): string {
  if (equal) return "The two are equal, bit for bit";
  const parts = [
    structure && !structure.equal ? "in structure" : "",
    weights.differing.length ? "in numbers" : "",
    weights.missing.length + weights.extra.length ? "in which weights there are" : "",
  ];
  return `They differ ${parts.filter(Boolean).join(", ")}`;
}

export function verdict({ valid, sound, warnings }: ValidateReport): string {
  if (!valid) return "TensorFlow would refuse this model";
  if (!sound) return "TensorFlow would import this graph, but something is wrong";
  return warnings > 0 ? "Valid, with warnings" : "Valid: no fault was found";
}

/** With a capital, unless it begins with a name. */
export function sentence(text: string): string {
  return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Returns the location of a diagnostic. */
export function place({ where }: Pick<Diagnostic, "where">): string {
  const { file, offset, node, tensor, attr, input, function: inside } = where;
  const parts = [
    file,
    offset === undefined ? "" : `byte ${count(offset)}`,
    inside && `function ${inside}`,
    node && `node ${node}`,
    tensor && tensor !== node && `tensor ${tensor}`,
    attr && `attribute ${attr}`,
    input === undefined ? "" : `input ${input}`,
  ];
  return parts.filter(Boolean).join(", ");
}
