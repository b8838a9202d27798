// Made by scripts/surface.py of core/commands/surface.json. Do not edit.

import type { Tool } from "../state/state.js";

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
  { key: "shardSize", kind: "text", tools: ["save"], label: "Split weight files at", hint: "Bytes, for checkpoints and TensorFlow.js: 4194304" },
  { key: "inputs", kind: "text", tools: ["prune", "freeze"], label: "New input tensors", hint: "Replaced by placeholders; everything upstream is removed: conv1/Relu, Split:1" },
  { key: "set", kind: "text", tools: ["prune", "freeze"], label: "Set values of placeholders and variables", hint: "NAME=VALUE: is_training=false, size=[2,6]. Dead branches are removed." },
  { key: "placeholder", kind: "text", tools: ["edit"], label: "Types and shapes of placeholders", hint: "NAME=TYPE[SIZES]: image=uint8[1,224,224,3], x=[?,8]" },
  { key: "batch", kind: "text", tools: ["edit"], label: "Batch size", hint: "8, or ? to leave it open" },
  { key: "constant", kind: "text", tools: ["edit"], label: "Values of constants", hint: "NAME=VALUE: threshold=0.5, size=[2,6]" },
  { key: "addSignature", kind: "text", tools: ["edit"], label: "Add a signature", hint: "KEY=INPUTS->OUTPUTS: score=image,mask->p=net/probs" },
  { key: "redact", kind: "flag", tools: ["edit"], label: "Remove weights and names, for a bug report", hint: "" },
  { key: "inference", kind: "flag", tools: ["prune", "freeze"], label: "Ready to serve: set training switches, remove dropout", hint: "" },
  { key: "variables", kind: "text", tools: ["freeze"], label: "Freeze only these variables", hint: "* within a scope, ** across scopes, /regular expression/" },
  { key: "keepVariables", kind: "text", tools: ["freeze"], label: "Keep as variables", hint: "All others are frozen. * within a scope, ** across scopes, /regular expression/" },
  { key: "likeTensorflow", kind: "flag", tools: ["prune", "freeze"], label: "Match TensorFlow's own tool byte for byte", hint: "" },
  { key: "lowerControlFlow", kind: "flag", tools: ["freeze"], label: "Lower control flow v2 to v1 (Switch, Merge)", hint: "" },
  { key: "noInline", kind: "flag", tools: ["freeze"], label: "Don't inline functions", hint: "" },
  { key: "foldAssets", kind: "flag", tools: ["freeze"], label: "Inline lookup-table assets as constants", hint: "" },
  { key: "dropChecks", kind: "flag", tools: ["prune", "freeze"], label: "Remove Assert, Print, CheckNumerics", hint: "" },
  { key: "spliceIdentities", kind: "flag", tools: ["prune", "freeze"], label: "Remove Identity nodes (where safe)", hint: "" },
  { key: "foldBatchNorm", kind: "flag", tools: ["freeze"], label: "Fold batch normalization into weights", hint: "" },
  { key: "foldConstants", kind: "flag", tools: ["freeze"], label: "Compute what does not depend on inputs", hint: "" },
  { key: "mergeDuplicates", kind: "flag", tools: ["freeze"], label: "Merge nodes that compute the same", hint: "" },
  { key: "clearDevices", kind: "flag", tools: ["prune", "freeze"], label: "Clear device placements", hint: "" },
  { key: "stripDefaults", kind: "flag", tools: ["prune", "freeze"], label: "Strip default-valued attributes", hint: "" },
  { key: "for", kind: "choice", tools: ["freeze"], label: "For an earlier TensorFlow", hint: "", known: [["", "As it is"], ["tensorflow-2.15", "TensorFlow 2.15"], ["tensorflow-2.10", "TensorFlow 2.10"], ["tensorflow-2.4", "TensorFlow 2.4"], ["tensorflow-2.0", "TensorFlow 2.0"], ["tensorflow-1.15", "TensorFlow 1.15"], ["tensorflow-1.14", "TensorFlow 1.14"], ["tensorflow-1.12", "TensorFlow 1.12"], ["tensorflow-1.8", "TensorFlow 1.8"], ["tensorflow-1.4", "TensorFlow 1.4"], ["tensorflow-1.2", "TensorFlow 1.2"]] },
  { key: "constants", kind: "text", tools: ["unfreeze"], label: "Choose constants by name", hint: "Only these, not the detected ones; auto adds the detected ones. * within a scope, ** across scopes, /regular expression/" },
  { key: "exclude", kind: "text", tools: ["unfreeze", "transfer", "diff", "save"], label: "Exclude weights", hint: "* within a scope, ** across scopes, /regular expression/" },
  { key: "rename", kind: "text", tools: ["freeze", "unfreeze", "edit", "transfer", "diff", "save"], label: "Rename (FROM=TO)", hint: "* and ** carry over: old/**=new/**" },
  { key: "ema", kind: "flag", tools: ["freeze"], label: "Use moving averages of the weights", hint: "" },
  { key: "match", kind: "choice", tools: ["transfer", "diff"], label: "Unmatched names", hint: "", known: [["", "Skip"], ["value", "Match by value"], ["shape", "Match by shape and position"], ["value,shape", "Match by both"]] },
  { key: "weights", kind: "flag", tools: ["diff"], label: "Compare weights alone", hint: "" },
  { key: "noSlots", kind: "flag", tools: ["transfer", "diff", "save"], label: "Exclude optimizer slots", hint: "" },
  { key: "partial", kind: "flag", tools: ["transfer"], label: "Write matched variables only", hint: "" },
  { key: "cast", kind: "text", tools: ["freeze", "transfer", "save"], label: "Convert data types", hint: "FROM=TO: float64=float32" },
  { key: "quantizeWeights", kind: "flag", tools: ["freeze"], label: "Store weights in 8 bits", hint: "" },
  { key: "function", kind: "text", tools: ["prune", "freeze"], label: "Function as entry point", hint: "Of a SavedModel without a signature: __call__" },
  { key: "style", kind: "choice", tools: ["unfreeze"], label: "Variable type", hint: "", known: [["", "Auto (same as source)"], ["resource", "Resource (TensorFlow 2)"], ["ref", "Ref (TensorFlow 1)"]] },
  { key: "initialValues", kind: "flag", tools: ["unfreeze"], label: "Store initial values in the .meta", hint: "" },
  { key: "checksum", kind: "flag", tools: ["validate", "diff"], label: "Read every weight and check its CRC", hint: "" },
  { key: "strict", kind: "flag", tools: ["transfer"], label: "Strict: fail unless all variables match", hint: "" },
];
