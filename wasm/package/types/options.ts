// Made by scripts/surface.py of core/commands/surface.json. Do not edit.

import type { CallOptions, Names, SetValues } from "./call_options.js";

/** The format that a model is written in. */
export type Format =
  | "pb"
  | "pbtxt"
  | "meta"
  | "meta-pbtxt"
  | "checkpoint"
  | "checkpoint-v1"
  | "savedmodel"
  | "savedmodel-pbtxt"
  | "tfjs"
  | "npz"
  | "npy"
  | "safetensors";

/** The kind of a model, by the file that it was opened by. */
export type Kind = "graph-def" | "meta-graph" | "saved-model" | "checkpoint" | "tfjs-graph-model" | "tflite" | "npz" | "safetensors" | "event-file";

/** The name of the file, or of the first of a set, when `out` names none. */
export const kFileNames: Readonly<Record<Format, string>> = {
  "pb": "model.pb",
  "pbtxt": "model.pbtxt",
  "meta": "model.meta",
  "meta-pbtxt": "model.meta.pbtxt",
  "checkpoint": "model.ckpt",
  "checkpoint-v1": "model.ckpt",
  "savedmodel": "saved_model/",
  "savedmodel-pbtxt": "saved_model/saved_model.pbtxt",
  "tfjs": "model.json",
  "npz": "weights.npz",
  "npy": "weights/",
  "safetensors": "weights.safetensors",
};

export interface OpenTable extends CallOptions {
  /** Tags of the SavedModel's graph to open. Several tags are one set; `''` is the set without tags that TF Hub modules have. Default: the only set, else `serve`. */
  tag?: Names;
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Round activations as a .tflite file's integers do. Default: activations are only kept in the range that the integers can represent. Weights are float32 in both. */
  keepQuantization?: boolean;
  /** The checkpoint of the graph. Default: the one next to it. */
  checkpoint?: string;
  /** Salvages what is whole of damaged files. open(): opens a graph of which parts are damaged, with the whole ones; then convert() and weights(), with this option too, list in `lost` what is not, with file, offset and reason, and in `incomplete` the nodes that need it. A weight is whole when all of its bytes are there and match their stored checksums; a part of a graph is whole by its form, as it has no checksum. Members of an archive and blocks of a checkpoint's index or of a V1 checkpoint are whole by their checksums, and are found also where the directory is damaged or cut off. */
  salvage?: boolean;
  /** Do not check stored CRCs. Default: every weight that is read or copied is checked. */
  noChecksum?: boolean;
}

export interface InspectOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** A function: its body, or as entry point. list and draw show its body, arguments first. inspect, prune and freeze take it as a signature: where a SavedModel has none for it, a function of its objects (`__call__`, `encoder/call`) or of the library (`__inference___call___18`). */
  function?: string;
  /** Read every weight and check its CRC. */
  checksum?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface ListOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Only the rows with these names. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  names?: Names;
  /** `nodes`: only those of these ops. */
  op?: Names;
  /** A function: its body, or as entry point. list and draw show its body, arguments first. inspect, prune and freeze take it as a signature: where a SavedModel has none for it, a function of its objects (`__call__`, `encoder/call`) or of the library (`__inference___call___18`). */
  function?: string;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface ValidateOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Read every weight and check its CRC. */
  checksum?: boolean;
  /** Warnings, or unmatched variables, fail. validate: exit status 1 also on warnings. transfer: fail unless every variable is matched or excluded. */
  strict?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface PruneOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Outputs: nodes or tensors (logits, Split:1). The kept graph ends at these nodes or tensors; verify compares them. Where no node has the name, a signature's output of that name is meant. Default: the signature's, else the likely ones, which the report names. */
  outputs?: Names;
  /** Inputs: any tensor becomes a placeholder. The kept graph begins at these tensors: Split is all outputs of it that are used, Split:1 is one. Where no node has the name, a signature's argument is meant. A variable becomes an input of its value, without its updates. `auto` also cuts at the heads of input pipelines. */
  inputs?: Names;
  /** Gives placeholders, variables and constants fixed values, { is_training: false, shape: [2, 6] } or "NAME=VALUE", and removes the branches that they rule out. */
  set?: SetValues;
  /** Makes the graph ready to serve: sets training switches, removes dropout, uses moving averages and stored ranges, cuts input pipelines. The report lists each change in `changes`. */
  inference?: boolean;
  /** Byte for byte what TensorFlow's own tool writes. prune: extract_sub_graph; freeze: freeze_graph. The result is a plain graph. */
  likeTensorflow?: boolean;
  /** Remove Assert, Print and CheckNumerics. */
  dropChecks?: boolean;
  /** Remove Identity nodes where that is safe. */
  spliceIdentities?: boolean;
  /** Remove device placements. */
  clearDevices?: boolean;
  /** Remove attributes that hold the op's default. An older TensorFlow may not know them. */
  stripDefaults?: boolean;
  /** A function: its body, or as entry point. list and draw show its body, arguments first. inspect, prune and freeze take it as a signature: where a SavedModel has none for it, a function of its objects (`__call__`, `encoder/call`) or of the library (`__inference___call___18`). */
  function?: string;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface FreezeOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Outputs: nodes or tensors (logits, Split:1). The kept graph ends at these nodes or tensors; verify compares them. Where no node has the name, a signature's output of that name is meant. Default: the signature's, else the likely ones, which the report names. */
  outputs?: Names;
  /** Inputs: any tensor becomes a placeholder. The kept graph begins at these tensors: Split is all outputs of it that are used, Split:1 is one. Where no node has the name, a signature's argument is meant. A variable becomes an input of its value, without its updates. `auto` also cuts at the heads of input pipelines. */
  inputs?: Names;
  /** Gives placeholders, variables and constants fixed values, { is_training: false, shape: [2, 6] } or "NAME=VALUE", and removes the branches that they rule out. */
  set?: SetValues;
  /** Makes the graph ready to serve: sets training switches, removes dropout, uses moving averages and stored ranges, cuts input pipelines. The report lists each change in `changes`. */
  inference?: boolean;
  /** Only these variables. After freeze() the others stay variables: write the result as a checkpoint or a SavedModel. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  variables?: Names;
  /** Freeze all variables but these. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  keepVariables?: Names;
  /** Byte for byte what TensorFlow's own tool writes. prune: extract_sub_graph; freeze: freeze_graph. The result is a plain graph. */
  likeTensorflow?: boolean;
  /** While, If and Case become Switch, Merge, Enter. Runtimes of TensorFlow 1 know only the plain nodes. Fails with `too-large` if they would be more than 60 times the graph and 8 MB. */
  lowerControlFlow?: boolean;
  /** Keep function calls. */
  noInline?: boolean;
  /** Do not record what variable a constant was. unfreeze reads the record: kind, trainable, collections, partition. TensorFlow ignores it. */
  noRecord?: boolean;
  /** Fill tables from constants instead of files. */
  foldAssets?: boolean;
  /** Remove Assert, Print and CheckNumerics. */
  dropChecks?: boolean;
  /** Remove Identity nodes where that is safe. */
  spliceIdentities?: boolean;
  /** Put batch normalization into the weights. Of Conv2D, Conv3D, DepthwiseConv2dNative and MatMul. Results differ by rounding. */
  foldBatchNorm?: boolean;
  /** Compute what does not depend on the inputs. Small tensors that follow from constants and known shapes, where every TensorFlow computes the same bits. */
  foldConstants?: boolean;
  /** Merge nodes that compute the same. */
  mergeDuplicates?: boolean;
  /** Remove device placements. */
  clearDevices?: boolean;
  /** Remove attributes that hold the op's default. An older TensorFlow may not know them. */
  stripDefaults?: boolean;
  /** Fit this release: tensorflow-1.2 to tensorflow-2.21. Gives each node a form that the release has, with the same values, and fails if it would not load and run the result. compat shows which releases take a model as it is. */
  for?: string;
  /** Rename: **\/a=**\/b, or /regex/=\1. FROM is a GLOB whose stars carry over to TO, or a /regular expression/ whose groups are \1 to \9 in TO. freeze: the checkpoint name from which a variable takes its value. unfreeze: the variables' names; default: the constants' names. edit: the nodes, and all that names them. A rule that matches nothing is an error. */
  rename?: Names;
  /** Takes the moving average NAME/ExponentialMovingAverage of each weight that has one. */
  ema?: boolean;
  /** Convert weights to another type: float64=float32. Rounds to nearest even; the report has the largest change. freeze: large constants are stored in the other type, and a Cast gives the graph the old one. */
  cast?: Names;
  /** Store large float32 weights in 8 bits. A Dequantize gives the graph float32 again. The report has the largest change. */
  quantizeWeights?: boolean;
  /** A function: its body, or as entry point. list and draw show its body, arguments first. inspect, prune and freeze take it as a signature: where a SavedModel has none for it, a function of its objects (`__call__`, `encoder/call`) or of the library (`__inference___call___18`). */
  function?: string;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface UnfreezeOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** These constants are weights; auto: detected ones too. Only these constants are weights, instead of the detected ones; with `auto` in the list, these and the detected ones. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  constants?: Names;
  /** Exclude these weights. unfreeze: they stay constants. transfer: these variables keep their values. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  exclude?: Names;
  /** Rename: **\/a=**\/b, or /regex/=\1. FROM is a GLOB whose stars carry over to TO, or a /regular expression/ whose groups are \1 to \9 in TO. freeze: the checkpoint name from which a variable takes its value. unfreeze: the variables' names; default: the constants' names. edit: the nodes, and all that names them. A rule that matches nothing is an error. */
  rename?: Names;
  /** The kind of variables. Default: as the graph had them, else resource. */
  style?: "ref" | "resource";
  /** GatherV2 of a variable becomes ResourceGather. ResourceGather reads only the rows that are looked up. */
  resourceGather?: boolean;
  /** Store the values in the .meta too. global_variables_initializer() then needs no checkpoint. Default: it restores from the checkpoint written with the graph. */
  initialValues?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface EditTable extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Gives placeholders other types and shapes: { image: "uint8[1,32,?]", x: [1, 8] }, or "NAME=TYPE[SIZES]". */
  placeholder?: SetValues;
  /** The first size of all inputs; ? leaves it open. Sizes for Reshape that begin with the old batch get the new one. */
  batch?: string;
  /** Gives constants other values, { threshold: 0.5, size: [2, 6] } or "NAME=VALUE", of their own types and shapes. */
  constant?: SetValues;
  /** Adds signatures, "score=x=net/image,mask->probs", one a text: tensors, each with a name of its own as NAME=TENSOR. Default: the node's name without scopes. */
  addSignature?: Names;
  /** With `join`: tensors of one model that feed placeholders of the other, { "pre/out": "image" } or "TENSOR=PLACEHOLDER". A tensor of `join` is looked for first; with its scope in front, a name is always that of `join`. */
  connect?: SetValues;
  /** With `join`: the scope of its nodes, shared names and checkpoint keys. */
  scope?: string;
  /** Remove weights and names, for a bug report. Values of tensors become zeros, words of names n1, n2, n3; texts for people, metadata and unknown fields are removed. Ops, edges, types, shapes, numbers in attributes, and whole numbers of at most 64 elements stay, and so do the faults of the graph. Not with other edits. */
  redact?: boolean;
  /** Rename: **\/a=**\/b, or /regex/=\1. FROM is a GLOB whose stars carry over to TO, or a /regular expression/ whose groups are \1 to \9 in TO. freeze: the checkpoint name from which a variable takes its value. unfreeze: the variables' names; default: the constants' names. edit: the nodes, and all that names them. A rule that matches nothing is an error. */
  rename?: Names;
}

export interface EditOptions<OpenModel = never> extends EditTable {
  /** A second model, which is not changed: it becomes part of the graph, as `connect` says. */
  join?: OpenModel;
}

export interface TransferTable extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** These constants are weights; auto: detected ones too. Only these constants are weights, instead of the detected ones; with `auto` in the list, these and the detected ones. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  constants?: Names;
  /** Exclude these weights. unfreeze: they stay constants. transfer: these variables keep their values. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  exclude?: Names;
  /** Rename: **\/a=**\/b, or /regex/=\1. FROM is a GLOB whose stars carry over to TO, or a /regular expression/ whose groups are \1 to \9 in TO. freeze: the checkpoint name from which a variable takes its value. unfreeze: the variables' names; default: the constants' names. edit: the nodes, and all that names them. A rule that matches nothing is an error. */
  rename?: Names;
  /** Also pair weights of different names. value: by equal bytes. shape: by a shape that occurs once, and by place in the graph. */
  match?: Names;
  /** Without optimizer slots and step counters. */
  noSlots?: boolean;
  /** Write the matched variables alone. The checkpoint is one for tf.train.init_from_checkpoint. Default: the other variables keep the target's values, or take their constant initial values. */
  partial?: boolean;
  /** Convert weights to another type: float64=float32. Rounds to nearest even; the report has the largest change. freeze: large constants are stored in the other type, and a Cast gives the graph the old one. */
  cast?: Names;
  /** Warnings, or unmatched variables, fail. validate: exit status 1 also on warnings. transfer: fail unless every variable is matched or excluded. */
  strict?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface TransferOptions<OpenModel> extends TransferTable {
  /** The source of the weights, which is not changed. */
  from: OpenModel;
}

export interface WeightsTable extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Only these variables. After freeze() the others stay variables: write the result as a checkpoint or a SavedModel. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  variables?: Names;
  /** These constants are weights; auto: detected ones too. Only these constants are weights, instead of the detected ones; with `auto` in the list, these and the detected ones. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  constants?: Names;
  /** Exclude these weights. unfreeze: they stay constants. transfer: these variables keep their values. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  exclude?: Names;
  /** Rename: **\/a=**\/b, or /regex/=\1. FROM is a GLOB whose stars carry over to TO, or a /regular expression/ whose groups are \1 to \9 in TO. freeze: the checkpoint name from which a variable takes its value. unfreeze: the variables' names; default: the constants' names. edit: the nodes, and all that names them. A rule that matches nothing is an error. */
  rename?: Names;
  /** Takes the moving average NAME/ExponentialMovingAverage of each weight that has one. */
  ema?: boolean;
  /** Returns the mean of this model and those of `with`. Names, types and shapes must agree. Computed in float64 and rounded once. Of whole numbers that differ, such as a step, the largest is taken; other types must be equal. */
  average?: boolean;
  /** Without optimizer slots and step counters. */
  noSlots?: boolean;
  /** Convert weights to another type: float64=float32. Rounds to nearest even; the report has the largest change. freeze: large constants are stored in the other type, and a Cast gives the graph the old one. */
  cast?: Names;
  /** Salvages what is whole of damaged files. open(): opens a graph of which parts are damaged, with the whole ones; then convert() and weights(), with this option too, list in `lost` what is not, with file, offset and reason, and in `incomplete` the nodes that need it. A weight is whole when all of its bytes are there and match their stored checksums; a part of a graph is whole by its form, as it has no checksum. Members of an archive and blocks of a checkpoint's index or of a V1 checkpoint are whole by their checksums, and are found also where the directory is damaged or cut off. */
  salvage?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface WeightsOptions<OpenModel = never> extends WeightsTable {
  /** Other models, which are not changed: their weights are added, or with `average` the mean of all is taken. */
  with?: readonly OpenModel[];
}

export interface ConvertOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** Convert weights to another type: float64=float32. Rounds to nearest even; the report has the largest change. freeze: large constants are stored in the other type, and a Cast gives the graph the old one. */
  cast?: Names;
  /** Salvages what is whole of damaged files. open(): opens a graph of which parts are damaged, with the whole ones; then convert() and weights(), with this option too, list in `lost` what is not, with file, offset and reason, and in `incomplete` the nodes that need it. A weight is whole when all of its bytes are there and match their stored checksums; a part of a graph is whole by its form, as it has no checksum. Members of an archive and blocks of a checkpoint's index or of a V1 checkpoint are whole by their checksums, and are found also where the directory is damaged or cut off. */
  salvage?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface DiffOptions extends CallOptions {
  /** Only these signatures of a SavedModel. prune and freeze keep their outputs, weights what they need. Default: the only one, else `serving_default`. */
  signature?: Names;
  /** These constants are weights; auto: detected ones too. Only these constants are weights, instead of the detected ones; with `auto` in the list, these and the detected ones. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  constants?: Names;
  /** Exclude these weights. unfreeze: they stay constants. transfer: these variables keep their values. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  exclude?: Names;
  /** Rename: **\/a=**\/b, or /regex/=\1. FROM is a GLOB whose stars carry over to TO, or a /regular expression/ whose groups are \1 to \9 in TO. freeze: the checkpoint name from which a variable takes its value. unfreeze: the variables' names; default: the constants' names. edit: the nodes, and all that names them. A rule that matches nothing is an error. */
  rename?: Names;
  /** Also pair weights of different names. value: by equal bytes. shape: by a shape that occurs once, and by place in the graph. */
  match?: Names;
  /** Compares the weights alone, without structure, optimizer slots and step counters. */
  weights?: boolean;
  /** Without optimizer slots and step counters. */
  noSlots?: boolean;
  /** Read every weight and check its CRC. */
  checksum?: boolean;
  /** Whole lists, all notes. */
  verbose?: boolean;
}

export interface CompatOptions extends CallOptions {
  /** Only these: tensorflow-1.15, tfjs, tflite, onnx. tensorflow-1.2 to tensorflow-2.21, tfjs, tflite, tflite-select, onnx, openvino, opencv. */
  target?: Names;
}

export interface PictureTable extends CallOptions {
  /** Outputs: nodes or tensors (logits, Split:1). The kept graph ends at these nodes or tensors; verify compares them. Where no node has the name, a signature's output of that name is meant. Default: the signature's, else the likely ones, which the report names. */
  outputs?: Names;
  /** Inputs: any tensor becomes a placeholder. The kept graph begins at these tensors: Split is all outputs of it that are used, Split:1 is one. Where no node has the name, a signature's argument is meant. A variable becomes an input of its value, without its updates. `auto` also cuts at the heads of input pipelines. */
  inputs?: Names;
  /** A function: its body, or as entry point. list and draw show its body, arguments first. inspect, prune and freeze take it as a signature: where a SavedModel has none for it, a function of its objects (`__call__`, `encoder/call`) or of the library (`__inference___call___18`). */
  function?: string;
  /** Open these groups and those around them. Default: the network from its inputs to its outputs, 12 to 25 boxes: the groups with most weights, as many as the pane holds. Globs: `*` within a scope, `**` across scopes, `/regular expression/`. */
  open?: Names;
  /** Open groups with fewer than N groups around them. */
  depth?: number;
  /** The size that the first view fits; default: 900x760. */
  size?: string;
  /** Draw weights and constants as nodes. Default: as lines of the node that uses them. */
  raw?: boolean;
  /** The property that the colors show; default: op. */
  color?: "role" | "op" | "weights" | "device" | "dtype";
}

export interface WriteOptions extends CallOptions {
  /** Names the outputs, as `-o` does; this call writes nothing there. */
  out?: string;
  /** The format. Default: by the ending of `out`, else the model's own. */
  as?: Format;
  /** Split weight files at this size. Units: bytes. TensorFlow.js weight files: 4194304 by default. Checkpoint data files: one file by default. */
  shardSize?: number;
  /** Reports, as `snippet`, the lines of Python (of JavaScript for TensorFlow.js) that load the result. */
  snippet?: boolean;
}
