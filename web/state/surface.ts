// Made by scripts/surface.py of core/commands/surface.json. Do not edit.

import type { Format, InspectReport, Kind } from "../engine/engine.js";

/** The tools of the page, by the names of calls; "save" is convert and weights. */
export type Tool = "validate" | "prune" | "freeze" | "unfreeze" | "edit" | "transfer" | "diff" | "save";
/** The calls that make a new model; "convert" salvages what is whole of damaged files. */
export type Pass = "repair" | "prune" | "freeze" | "unfreeze" | "edit" | "transfer" | "convert";

/** The verbs: the label of a button, its effect, and the name of the step. */
export const kVerbs: Readonly<Record<Pass | Tool, { label: string; about: string; doing: string; done: string }>> = {
  validate: { label: "Validate", about: "Check the model as TensorFlow does, and list every issue.", doing: "Validating", done: "Validated" },
  repair: { label: "Repair", about: "Applies only unambiguous fixes.", doing: "Repairing", done: "Repaired" },
  prune: { label: "Prune", about: "Remove everything the chosen outputs don't need.", doing: "Pruning", done: "Pruned" },
  freeze: { label: "Freeze", about: "Turn variables into constants: one file for inference.", doing: "Freezing", done: "Frozen" },
  unfreeze: { label: "Un-freeze", about: "Turn constants back into trainable variables, with a checkpoint.", doing: "Un-freezing", done: "Un-frozen" },
  edit: { label: "Edit", about: "Change names, types, shapes and values of nodes.", doing: "Editing", done: "Edited" },
  transfer: { label: "Transfer", about: "Copy another model's weights into this model's variables, by name.", doing: "Transferring", done: "Transferred" },
  convert: { label: "Salvage", about: "Take what is whole of damaged files.", doing: "Salvaging", done: "Salvaged" },
  diff: { label: "Compare", about: "Show where two models differ, in structure and in values, bit for bit.", doing: "Comparing", done: "Compared" },
  save: { label: "Save as", about: "Export the model in another format, or its weights only.", doing: "Exporting", done: "Exported" },
};

/** The page's facts of a pass: the suffix of its files' names; whether a SavedModel remains one; the nodes that it converts, and
 * what they become; the option that has the second model, and the one with which it needs one (null: always). */
interface PassRow {
  suffix: string;
  keepsFormat: boolean;
  converted: readonly [what: string, became: string] | null;
  second: { key: "from" | "join"; when: string | null } | null;
}

export const kPasses: Readonly<Record<Pass, PassRow>> = {
  repair: { suffix: ".repaired", keepsFormat: true, converted: null, second: null },
  prune: { suffix: ".pruned", keepsFormat: false, converted: null, second: null },
  freeze: { suffix: ".frozen", keepsFormat: false, converted: ["variable", "constant"], second: null },
  unfreeze: { suffix: "", keepsFormat: false, converted: ["constant", "variable"], second: null },
  edit: { suffix: ".edited", keepsFormat: true, converted: null, second: { key: "join", when: "connect" } },
  transfer: { suffix: ".transferred", keepsFormat: false, converted: null, second: { key: "from", when: null } },
  convert: { suffix: ".salvaged", keepsFormat: true, converted: null, second: null },
};

/** The tools that suit a graph, the likeliest first, by the place of its weights. */
export const kToolsOf: Readonly<Record<InspectReport["weights"], readonly Tool[]>> = {
  checkpoint: ["freeze", "prune", "transfer", "unfreeze", "edit"],
  constants: ["unfreeze", "prune", "edit", "freeze", "transfer"],
  variables: ["prune", "transfer", "freeze", "edit"],
  none: ["prune", "edit"],
};

/** The formats that a model can be saved in: the core's names, the endings of files, whether it is weights alone, and the
 * variables that the model must have. */
export const kForms = {
  pb: { label: "Graph (.pb)", as: "pb", ending: ".pb", arrays: false, variables: "any" },
  pbtxt: { label: "Graph as text (.pbtxt)", as: "pbtxt", ending: ".pbtxt", arrays: false, variables: "any" },
  checkpoint: { label: "Graph and checkpoint", as: "checkpoint", ending: ".ckpt", arrays: false, variables: "some" },
  checkpointZip: { label: "Graph and checkpoint (.zip)", as: "checkpoint", ending: ".ckpt.zip", arrays: false, variables: "some" },
  savedmodel: { label: "SavedModel (.zip)", as: "savedmodel", ending: ".zip", arrays: false, variables: "any" },
  tfjs: { label: "TensorFlow.js model (.zip)", as: "tfjs", ending: ".zip", arrays: false, variables: "none" },
  weights: { label: "Weights as a checkpoint", as: "checkpoint", ending: ".weights.ckpt", arrays: true, variables: "any" },
  npz: { label: "Weights for NumPy (.npz)", as: "npz", ending: ".npz", arrays: true, variables: "any" },
  safetensors: { label: "Weights as .safetensors", as: "safetensors", ending: ".safetensors", arrays: true, variables: "any" },
} satisfies Record<
  string,
  { label: string; as: Format; ending: string; arrays: boolean; variables: "any" | "none" | "some" }
>;
export type FormName = keyof typeof kForms;

/** The kinds of models. */
export const kKinds: Readonly<Record<Kind, string>> = {
  "graph-def": "GraphDef",
  "meta-graph": "MetaGraphDef",
  "saved-model": "SavedModel",
  "checkpoint": "Checkpoint",
  "tfjs-graph-model": "TensorFlow.js graph model",
  "tflite": "TensorFlow Lite model",
  "npz": "NumPy archive",
  "safetensors": "safetensors",
  "event-file": "Event file",
};
/** The names of graphs of a kind, where they differ from others. */
export const kGraphKinds: Readonly<Partial<Record<Kind, string>>> = {
  "meta-graph": "MetaGraph",
  "saved-model": "SavedModel",
  "tfjs-graph-model": "TensorFlow.js graph model",
  "tflite": "TensorFlow Lite model",
  "event-file": "Graph of an event file",
};
/** The kinds of weights without a graph. */
export const kWeightKinds: Readonly<Partial<Record<Kind, string>>> = {
  "checkpoint": "Checkpoint without its graph",
  "npz": "Weights without a graph",
  "safetensors": "Weights without a graph",
};
