// Made by scripts/surface.py of core/commands/surface.json. Do not edit.

import type { Tool } from "../app/state.js";

/** An option that a person may set. `known`: the values there are to choose from. */
export interface Field {
  key: string;
  kind: "text" | "flag" | "choice";
  tools: readonly Tool[];
  label: string;
  hint: string;
  known?: readonly (readonly [value: string, label: string])[];
}

export const kFields: readonly Field[] = [
  { key: "inputs", kind: "text", tools: ["prune", "freeze"], label: "Cut at new inputs", hint: "Tensors that become placeholders; nodes that feed them are removed: conv1/Relu, Split:1" },
  { key: "set", kind: "text", tools: ["prune", "freeze"], label: "Set placeholders", hint: "NAME=VALUE: is_training=false, size=[2,6]. Branches not taken are removed." },
  { key: "variables", kind: "text", tools: ["freeze"], label: "Freeze only these variables", hint: "* within a scope, ** across scopes, /regular expression/" },
  { key: "keepVariables", kind: "text", tools: ["freeze"], label: "Keep these variables", hint: "They stay variables. * within a scope, ** across scopes, /regular expression/" },
  { key: "likeTensorflow", kind: "flag", tools: ["prune", "freeze"], label: "Byte for byte as TensorFlow's own tool", hint: "" },
  { key: "lowerControlFlow", kind: "flag", tools: ["freeze"], label: "While and If become plain nodes", hint: "" },
  { key: "noInline", kind: "flag", tools: ["freeze"], label: "Keep function calls", hint: "" },
  { key: "foldAssets", kind: "flag", tools: ["freeze"], label: "Fill tables from constants", hint: "" },
  { key: "dropChecks", kind: "flag", tools: ["prune", "freeze"], label: "Remove Assert, Print, CheckNumerics", hint: "" },
  { key: "spliceIdentities", kind: "flag", tools: ["prune", "freeze"], label: "Remove Identity nodes where safe", hint: "" },
  { key: "clearDevices", kind: "flag", tools: ["prune", "freeze"], label: "Remove device placements", hint: "" },
  { key: "stripDefaults", kind: "flag", tools: ["prune", "freeze"], label: "Remove default attributes", hint: "" },
  { key: "constants", kind: "text", tools: ["unfreeze"], label: "Choose constants by hand", hint: "Instead of detection; with auto, in addition to it. * within a scope, ** across scopes, /regular expression/" },
  { key: "exclude", kind: "text", tools: ["unfreeze", "transfer", "diff", "save"], label: "Exclude these weights", hint: "* within a scope, ** across scopes, /regular expression/" },
  { key: "rename", kind: "text", tools: ["freeze", "transfer", "diff", "save"], label: "Rename", hint: "FROM=TO; stars carry over: old/**=new/**" },
  { key: "match", kind: "choice", tools: ["transfer", "diff"], label: "Where names differ", hint: "", known: [["", "Do not pair"], ["value", "Pair equal values"], ["shape", "Pair by shape and place"], ["value,shape", "Pair by both"]] },
  { key: "noSlots", kind: "flag", tools: ["transfer", "diff", "save"], label: "Without optimizer slots", hint: "" },
  { key: "partial", kind: "flag", tools: ["transfer"], label: "Matched variables alone, as a checkpoint", hint: "" },
  { key: "cast", kind: "text", tools: ["transfer", "save"], label: "Convert types", hint: "FROM=TO: float64=float32" },
  { key: "style", kind: "choice", tools: ["unfreeze"], label: "Kind of variables", hint: "", known: [["", "As the graph had them"], ["resource", "Resource (TensorFlow 2)"], ["ref", "Ref (TensorFlow 1)"]] },
  { key: "initialValues", kind: "flag", tools: ["unfreeze"], label: "Store the initial values in the .meta", hint: "" },
  { key: "checksum", kind: "flag", tools: ["validate", "diff"], label: "Read every weight and check its CRC", hint: "" },
  { key: "strict", kind: "flag", tools: ["transfer"], label: "Refuse unless every variable is matched", hint: "" },
];
