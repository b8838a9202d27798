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
  const shards = diagnostics.find(({ code }) => code === "missing-shard");
  if (shards) return `${/missing (.*)$/.exec(shards.message)?.[1] ?? "a data file"}.`;
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

// Advice that names options of the command line, reworded for this page.
const kFixes: Record<string, string> = {
  "no-checkpoint": "Open the .meta together with the checkpoint's .index and .data files, or open their folder.",
  "no-graph": "Open the checkpoint together with its .meta file.",
  "missing-shard": "Add the missing files, or open their folder.",
  "pipeline-stays": "Name these as inputs under More options, or write auto there.",
  "output-guessed": "Tick the outputs you want to keep, and do it again.",
  "no-outputs": "Tick the outputs you want to keep, or name them.",
  "variable-in-use": "Choose outputs that do not need it, or cut the graph at other inputs.",
  "checkpoint-chosen": "To have another, open the graph together with that one alone.",
  "several-checkpoints": "Open the graph together with the one that is meant.",
  "several-models": "Open the files of one model alone.",
  "out-of-memory": "The native program has no such limit: cryograph, in a terminal.",
  checksum: "Get the file again. To work with the damaged weights as they are, open it again without checking.",
  "no-common-output": "Prune both to the same outputs first.",
  "no-image-input": "Give it as an array, a .npy.",
  "worker-lost": "The page has started afresh: try again.",
};

const kGive = "give a .pb, a .meta, or a checkpoint";

export function fix({ code, fix: said }: Diagnostic): string {
  if (said === kGive) return kOpen;
  return kFixes[code] ?? said.replace("name one with --tag", "name the tags of the one that is meant");
}

const kOpen = "Open a graph (.pb, .pbtxt, .meta), the folder of a SavedModel, or a checkpoint with all of its files.";

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
