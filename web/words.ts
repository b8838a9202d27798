// Every sentence of the page, in one place.
import type { Diagnostic, InspectReport, Kind, Pass, PassReport, ValidateReport } from "./engine.js";
import { counted, count } from "./format.js";

export const kWords = {
  name: "Cryograph",
  promise: "Nothing is uploaded",
  promiseMore: "This page is forbidden by its own content security policy to make any connection. Your model is read "
    + "where it lies, by WebAssembly in this tab, and results go straight to your disk.",
  headline: "Prune, validate, freeze and un-freeze TensorFlow models. Here, in this tab.",
  lead: "Drop a graph, a .meta with its checkpoint, a SavedModel, a TensorFlow.js model. Size does not matter: "
    + "weights are not loaded, only pointed at.",
  drop: "Drop a model anywhere",
  dropNow: "Let go to open",
  openFiles: "Open files",
  openFolder: "Open folder",
  sample: "Try the sample",
  sampleAbout: "The sample is a digit classifier with its training graph and checkpoint, 186 kB.",
  takes: [
    ["Frozen or plain graph", ".pb .pbtxt", "A GraphDef, with its weights as constants or without."],
    ["Training checkpoint", ".meta .index .data-…", "Its folder, or the files together: graph, index and all data files."],
    ["SavedModel", "saved_model.pb", "Its folder with variables/, or a .zip or .tar.gz of it."],
    ["TensorFlow.js model", "model.json .bin", "Its folder, or the files together."],
  ],
  cancel: "Cancel",
  dismiss: "Dismiss",
  inputs: "Inputs",
  outputs: "Outputs",
  files: "Files",
  opened: "Opened",
  steps: "Steps",
  stepsAbout: "Every step keeps the model before it. Choose one to go back.",
  outputsToKeep: "Outputs to keep",
  outputsGuessed: "The graph does not say what its outputs are. These are likely ones, the likeliest first: "
    + "please check.",
  outputsCertain: "There is no doubt about these. Untick what is not needed.",
  outputsNone: "No likely output was found. Name one below.",
  otherOutputs: "Other outputs",
  otherHint: "Names of nodes or tensors, between commas: conv1/Relu, Split:1",
  cutInputs: "New inputs",
  cutHint: "Optional. The graph is cut here, and each becomes a placeholder.",
  moreOptions: "Cut the graph at other inputs",
  doIt: "What shall be done?",
  before: "Before",
  after: "After",
  change: "Change",
  download: "Download",
  downloadAll: "Download all",
  checkpointForm: "Graph and checkpoint",
  graphForm: "Graph",
  graphOnlyForm: "Graph alone, without the values of its variables",
  saveAs: "Save as",
  form: "Form",
  prepare: "Prepare",
  preparing: "Preparing the files",
  prepared: "The files are ready",
  couldNotSave: "This could not be saved in that form",
  whatToDo: "What to do: ",
  couldNotOpen: "This could not be opened",
  stillHere: "Nothing was changed.",
  cancelled: "Cancelled. Nothing was changed.",
  madeOf: "Made from",
  ops: "Ops",
  nameless: "input",
};

/** The forms that a model can be saved in, by their names in the core. Folders come as one zip file. */
export const kForms = {
  pb: { label: "Graph (.pb)", ending: ".pb", arrays: false },
  pbtxt: { label: "Graph as text (.pbtxt)", ending: ".pbtxt", arrays: false },
  checkpoint: { label: "Graph and checkpoint", ending: ".ckpt", arrays: false },
  savedmodel: { label: "SavedModel (.zip)", ending: ".zip", arrays: false },
  tfjs: { label: "TensorFlow.js model (.zip)", ending: ".zip", arrays: false },
  npz: { label: "Weights for NumPy (.npz)", ending: ".npz", arrays: true },
  safetensors: { label: "Weights as .safetensors", ending: ".safetensors", arrays: true },
};
export type FormName = keyof typeof kForms;

/** The verbs: what a button says, what it does, and what the step is called. */
export const kVerbs: Record<Pass | "validate", { label: string; about: string; doing: string; done: string }> = {
  freeze: { label: "Freeze", about: "Variables become constants", doing: "Freezing", done: "Frozen" },
  prune: { label: "Prune", about: "Keep what the outputs need", doing: "Pruning", done: "Pruned" },
  unfreeze: { label: "Un-freeze", about: "Constants become variables", doing: "Un-freezing", done: "Un-frozen" },
  weights: { label: "Weights", about: "The arrays alone, by name", doing: "Taking the weights", done: "Taken" },
  convert: { label: "Convert", about: "The same in another format", doing: "Converting", done: "Converted" },
  validate: { label: "Validate", about: "Find every fault", doing: "Validating", done: "Validated" },
};

export const kSeverities = { error: "Error.", warning: "Warning.", note: "Note." };

export const kKinds: Record<Kind, string> = {
  "graph-def": "GraphDef",
  "meta-graph": "MetaGraphDef",
  "saved-model": "SavedModel",
  "checkpoint": "Checkpoint",
  "tfjs-graph-model": "TensorFlow.js graph model",
  "npz": "NumPy archive",
  "safetensors": "safetensors",
};

const kGraphs: Partial<Record<Kind, string>> = {
  "meta-graph": "A graph with its collections, as tf.train.Saver writes it",
  "saved-model": "A SavedModel",
  "tfjs-graph-model": "A TensorFlow.js model",
};

/** What was recognised and why, in a sentence or two. */
export function recognised(about: InspectReport): string {
  const { kind, weights, variables, constants } = about;
  const values = `${counted(variables.count, "variable")} with ${counted(variables.parameters, "parameter")}`;
  if (kind === "checkpoint") return `A checkpoint without its graph: ${values}. ${needsGraph()}`;
  if (kind === "npz" || kind === "safetensors") return `Weights without a graph: ${values}. ${needsGraph()}`;
  const graph = kGraphs[kind] ?? "A graph by itself";
  switch (weights) {
    case "checkpoint":
      return `${graph}, together with its checkpoint: ${values}${missing(about)}.`;
    case "variables":
      return `${graph}. It has ${values}, but their values are not here: to freeze it, open it together with its `
        + "checkpoint.";
    case "constants":
      return `A frozen graph: its weights are among its ${counted(constants.count, "constant")}.`;
    case "none":
      return `${graph}, with neither variables nor constants.`;
  }
}

function missing({ variables }: InspectReport): string {
  const { length } = variables.missing;
  return length === 0 ? ", all of them found" : `, ${count(length)} of them without a value`;
}

function needsGraph(): string {
  return "To prune or freeze it, open it together with its .meta file.";
}

export function producer({ tensorflowVersion, producer: version }: InspectReport): string {
  if (tensorflowVersion) return tensorflowVersion;
  return version > 0 ? `not said; graph version ${version}` : "not said";
}

/** The result of a pass, in one line. */
export function made(pass: Pass, { before, after, converted }: PassReport): string {
  const nodes = `${counted(before.nodes, "node")} became ${count(after.nodes)}`;
  if (pass === "prune") return `Pruned: ${nodes}`;
  const [what, became] = pass === "freeze" ? ["variable", "constants"] : ["constant", "variables"];
  if (converted.length === 1) return `${kVerbs[pass].done}: 1 ${what} became a ${became.slice(0, -1)}`;
  return `${kVerbs[pass].done}: ${counted(converted.length, what!)} became ${became}`;
}

export function verdict({ valid, sound }: ValidateReport): string {
  if (!valid) return "TensorFlow would refuse this model";
  return sound ? "Valid: no fault was found" : "TensorFlow would load this model, but something is wrong";
}

// Advice that names options of the command line, said for this page.
const kFixes: Record<string, string> = {
  "no-checkpoint": "Open the .meta together with the checkpoint's .index and .data files, or open their folder.",
  "no-graph": "Open the checkpoint together with its .meta file.",
  "missing-shard": "Open it again together with the missing files, or open their folder.",
  "output-guessed": "Tick the outputs you want to keep, and do it again.",
  "no-outputs": "Tick the outputs you want to keep, or name them.",
  "variable-in-use": "Choose outputs that do not need it, or cut the graph at other inputs.",
  "no-weights": "There is nothing to un-freeze here; the command line can choose constants by hand: --constants.",
  "several-models": "Open the files of one model alone.",
  "out-of-memory": "The native program has no such limit: cryograph freeze PATH -o OUT.",
  "worker-lost": "The page has started afresh: try again.",
};

export function fix({ code, fix: said }: Diagnostic): string {
  return kFixes[code] ?? said;
}

/** Where a diagnostic points. */
export function place({ where }: Diagnostic): string {
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
