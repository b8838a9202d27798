import type { InspectReport, Signature } from "../engine/engine.js";
import type { Choice, Options, Pass, Step, Tool } from "../state/state.js";
import { kPasses, kToolsOf } from "../state/surface.js";
import { names } from "../words/format.js";
import { kOptionLabels } from "../words/references.js";
import { isWeightsAlone } from "../words/words.js";
import { type Field, kFields } from "./fields.js";

export function fieldsOf(tool: Tool): readonly Field[] {
  return kFields.filter(({ tools }) => tools.includes(tool));
}

/** Returns the page's name of an option. */
export function labelOf(key: string): string {
  return (kOptionLabels as Readonly<Record<string, string>>)[key] ?? key;
}

/** Returns the options of a step's choice for a tool. Without outputs the core takes the likeliest and reports it. */
export function optionsOf(tool: Tool, { about, choice }: Pick<Step, "about" | "choice">): Options {
  const { outputs, texts, flags } = choice;
  const options: Record<string, string | boolean | readonly string[]> = {};
  const wanted = [...outputs, ...names(texts["more"] ?? "")];
  // The core refuses an empty list of outputs, unless it detects none either.
  if ((tool === "freeze" || tool === "prune") && (wanted.length > 0 || about.outputs.length > 0)) {
    const keys = wanted.length > 0 ? signaturesOf(about, wanted) : null;
    if (keys) options["signature"] = keys;
    else options["outputs"] = wanted;
  }
  for (const { key, kind } of fieldsOf(tool)) {
    const typed = (texts[key] ?? "").trim();
    if (kind === "flag" && flags.has(key)) options[key] = true;
    else if (typed) options[key] = key === "inputs" ? names(typed) : typed.replace(/\s*[,\n]\s*/g, ",");
  }
  if (tool === "save" && choice.together.size > 0 && flags.has("average")) options["average"] = true;
  if (tool === "unfreeze") return { ...options, ...pickedWeights(options, choice) };
  return tool === "edit" ? { ...options, ...connections(choice) } : options;
}

// A name of the second model has its scope in front: so it is of no other.
function connections({ fed, texts }: Choice): Options {
  const scope = (texts["scope"] ?? "").trim();
  const scoped = (name: string) => (scope ? `${scope}/${name}` : name);
  const pairs = (all: Readonly<Record<string, string>>) =>
    Object.entries(all)
      .map(([placeholder, tensor]) => [placeholder, tensor.trim()] as const)
      .filter(([, tensor]) => tensor);
  const connect = [
    ...pairs(fed.ours).map(([placeholder, tensor]) => `${scoped(tensor)}=${placeholder}`),
    ...pairs(fed.theirs).map(([placeholder, tensor]) => `${tensor}=${scoped(placeholder)}`),
  ];
  return connect.length === 0 ? {} : { connect, ...(scope && { scope }) };
}

/** Returns the option that has the second model; null for a pass that takes none. */
export function secondOption(pass: Pass, options: Options): "from" | "join" | null {
  const { second } = kPasses[pass];
  return second && (second.when === null || second.when in options) ? second.key : null;
}

// Adds the weights that were picked in the table to those that were typed.
function pickedWeights(typed: Options, { excluded, added, renamed }: Choice): Options {
  const listed = (key: string) => ((typed[key] as string | undefined) ?? "").split(/(?<!\\),/).filter(Boolean);
  const constants = added.size > 0 ? [...(typed["constants"] ? listed("constants") : ["auto"]), ...added] : [];
  const rules = Object.entries(renamed)
    .filter(([name, to]) => to.trim() && !excluded.has(name))
    .map(([name, to]) => `${name}=${to.trim()}`);
  return {
    ...(constants.length > 0 && { constants }),
    ...(excluded.size > 0 && { exclude: [...listed("exclude"), ...excluded] }),
    ...(rules.length > 0 && { rename: [...rules, ...listed("rename")] }),
  };
}

/** Returns true if a tool can't run yet: edit without anything to change, or one that lacks its second model. */
export function isIncomplete(tool: Pass & Tool, step: Step, second: unknown): boolean {
  const options = optionsOf(tool, step);
  if (tool === "edit" && Object.keys(options).length === 0) return true;
  return secondOption(tool, options) !== null && !second;
}

const kUpdate = /^(Resource)?(Sparse)?Apply[A-Z]/;

/**
 * Returns true for a graph that looks like one for training, of which the option "inference" makes one to serve: it has an
 * optimizer, or a switch among its inputs.
 */
export function isTrainingGraph({ variables, ops, inputs }: InspectReport): boolean {
  return (
    variables.slots.count > 0 ||
    Object.keys(ops).some((op) => kUpdate.test(op)) ||
    inputs.some(({ dtype, shape }) => dtype === "bool" && !shape?.length)
  );
}

/** Returns a set with one more member, or without it. */
export function flipped<T>(all: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const changed = new Set(all);
  if (!changed.delete(one)) changed.add(one);
  return changed;
}

/** Returns the names in the field of new inputs. */
export function inputNames({ texts }: Choice): string[] {
  return names(texts["inputs"] ?? "");
}

// Returns the signatures that have exactly the selected outputs: a frozen graph then has the names of their arguments.
function signaturesOf({ signatures }: InspectReport, wanted: readonly string[]): string[] | null {
  const port = (name: string) => name.replace(/:0$/, "");
  const outputs = ([, { outputs: of }]: [string, Signature]) => Object.values(of).map(({ name }) => port(name));
  const chosen = new Set(wanted.map(port));
  const whole = Object.entries(signatures).filter(
    (each) => outputs(each).length > 0 && outputs(each).every((name) => chosen.has(name)),
  );
  const covered = new Set(whole.flatMap(outputs));
  return whole.length > 0 && [...chosen].every((name) => covered.has(name)) ? whole.map(([key]) => key) : null;
}

/** The outputs that freeze and prune take when none is named: those of signatures, else the likeliest that belong together. */
export function likelyChoice({ outputs }: InspectReport): Choice {
  const likely = outputs.filter(({ chosen }) => chosen).map(({ name }) => name);
  return {
    outputs: new Set(likely),
    texts: {},
    flags: new Set(),
    excluded: new Set(),
    added: new Set(),
    renamed: {},
    together: new Set(),
    fed: { ours: {}, theirs: {} },
  };
}

/** Returns the tools that suit a model, the likeliest first. */
export function toolsOf(about: InspectReport): Tool[] {
  if (isWeightsAlone(about)) return ["save", "diff"];
  return [...kToolsOf[about.weights], "validate", "diff", "save"];
}
