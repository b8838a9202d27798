// The page's texts about one model: its format, its changes, its findings.
import type {
  Diagnostic,
  DiffReport,
  InspectReport,
  PassReport,
  RepairReport,
  TransferReport,
  ValidateReport,
} from "../engine/engine.js";
import { kGraphKinds, kPasses, kVerbs, kWeightKinds, type Pass } from "../state/surface.js";
import { bytes, count, counted } from "../ui/format.js";
import { advised } from "../engine/advice.js";

export { kKinds } from "../state/surface.js";

/** A checkpoint or arrays, without a graph. */
export function isWeightsAlone({ kind }: InspectReport): boolean {
  return kind in kWeightKinds;
}

/** The parts of a model that were not among the files; "" for none. */
export function missingParts({ kind, weights }: InspectReport, diagnostics: readonly Diagnostic[]): string {
  const [lacking] = advised(diagnostics, "give-files");
  if (lacking) return `${lacking.files}.`;
  if (kind === "checkpoint") return "the graph: its .meta file, a .pb, or the SavedModel.";
  return weights === "variables" ? "the values of its variables: the checkpoint's .index and .data files." : "";
}

/** Returns a sentence or two on the recognized format and the reason. */
export function recognized(about: InspectReport): string {
  const { kind, weights, variables, constants } = about;
  const values = `${counted(variables.count, "variable")}, ${counted(variables.parameters, "parameter")}`;
  const alone = kWeightKinds[kind];
  if (alone) return `${alone} · ${values}${kind === "checkpoint" ? "" : `. ${kForTransfer}`}`;
  const graph = kGraphKinds[kind] ?? "Graph";
  switch (weights) {
    case "checkpoint":
      return `${graph} + checkpoint · ${values}, ${missing(about)}`;
    case "variables":
      return `${graph} · ${values}. No values loaded: add the checkpoint to freeze.`;
    case "constants":
      return `${isFrozen(about) ? "Frozen graph" : graph} · ${counted(constants.count, "constant")} (${bytes(constants.bytes)})`;
    case "none":
      return `${graph} · no variables, no constants`;
  }
}

function missing({ variables }: InspectReport): string {
  const { length } = variables.missing;
  return length === 0 ? "all values found" : `${count(length)} without a value`;
}

// A graph that reads variables was not frozen, even if it holds none: its weights are inputs.
function isFrozen({ kind, ops }: InspectReport): boolean {
  return kind !== "tfjs-graph-model" && !("ReadVariableOp" in ops);
}

const kForTransfer = "To use them in a model, open that model and choose Transfer.";

export function producer({ tensorflowVersion, producer: version, madeBy }: InspectReport): string {
  if (tensorflowVersion) return tensorflowVersion;
  if (madeBy) return `${madeBy.replace(/^TensorFlow /, "")} (GraphDef producer ${version})`;
  return "Unknown";
}

/** The result of a pass, in one line. */
export function made(pass: Pass, report: PassReport): string {
  if (pass === "repair") return repaired(report as unknown as RepairReport);
  const { done } = kVerbs[pass];
  const [what, became] = kPasses[pass].converted ?? ["", ""];
  const { before, after, converted, redacted } = report;
  if (redacted) return `Redacted: ${counted(redacted.names, "word")} of names, ${counted(redacted.tensors, "tensor")}`;
  if (pass === "prune") return `${done}: ${counted(before.nodes, "node")} became ${count(after.nodes)}`;
  if (pass === "edit") return `${done}: ${counted(report.changes?.length ?? 0, "change")}`;
  if (pass === "transfer") return transferred(report as TransferReport);
  if (pass === "convert") return `${done}: ${counted(report.lost?.length ?? 0, "part")} lost`;
  return `${done}: ${counted(converted.length, what)} became ${converted.length === 1 ? `a ${became}` : `${became}s`}`;
}

/** "Transferred 6 of 27 variables". */
function transferred({ matched, mismatched, unmatched, excluded }: TransferReport): string {
  const all = matched.length + mismatched.length + unmatched.length + excluded.length;
  return `Transferred ${count(matched.length)} of ${counted(all, "variable")}`;
}

/** "6 matched · 15 unmatched · 6 excluded". */
export function matches({ matched, mismatched, unmatched, excluded }: TransferReport): string {
  const parts: [string, readonly unknown[]][] = [
    ["matched", matched],
    ["mismatched", mismatched],
    ["unmatched", unmatched],
    ["excluded", excluded],
  ];
  const some = parts.filter(([name, list]) => name === "matched" || list.length > 0);
  return some.map(([name, list]) => `${count(list.length)} ${name}`).join(" · ");
}

/** Files were written into a folder. */
export function saved(files: number, folder: string): string {
  return `${counted(files, "file")} written into the folder ${folder}`;
}

export function repaired({ repaired: all }: RepairReport): string {
  return `Repaired: ${counted(all.length, "issue")}`;
}

export function differs({ equal, structure, weights }: DiffReport): string {
  if (equal) return "Equal, bit for bit";
  const parts = [
    structure && !structure.equal ? "structure" : "",
    weights.differing.length ? "values" : "",
    weights.missing.length + weights.extra.length ? "set of weights" : "",
  ];
  return `Different: ${parts.filter(Boolean).join(", ")}`;
}

export function verdict({ valid, sound, warnings, release }: ValidateReport): string {
  const whose = release ? `TensorFlow ${release}` : "TensorFlow";
  if (!valid) return `${whose} would refuse this model`;
  if (!sound) return "The graph is valid; its checkpoint, signatures or assets are not";
  const good = release ? `Valid for ${whose}` : "Valid";
  return warnings > 0 ? `${good}, with warnings` : `${good}: no issues found`;
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
