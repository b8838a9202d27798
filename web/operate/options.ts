import type { InspectReport, Signature } from "../app/engine.js";
import type { Choice, Options, Step, Tool } from "../app/state.js";
import { names } from "../words/format.js";
import { isWeightsAlone, kWords } from "../words/words.js";

/** An option that a person may set. `known`: the values there are to choose from. */
export interface Field {
  key: string;
  kind: "text" | "flag" | "choice";
  tools: readonly Tool[];
  label: string;
  hint: string;
  known?: readonly (readonly [value: string, label: string])[];
}

const kGlob = "* within a scope, ** across scopes, /regular expression/";

/** All but the outputs, which have a card of their own. Every label says what the option does, not what it is called. */
export const kFields: readonly Field[] = [
  text("inputs", ["prune", "freeze"], "Cut at new inputs", "Tensors that become placeholders; what fed them goes: conv1/Relu, Split:1"),
  text("set", ["prune", "freeze"], "Fix placeholders", "NAME=VALUE: is_training=false, size=[2,6]. Branches not taken are removed."),
  text("variables", ["freeze"], "Freeze only these variables", kGlob),
  text("keepVariables", ["freeze"], "Keep these variables", `They stay variables. ${kGlob}`),
  text("constants", ["unfreeze"], "Choose constants by hand", `Instead of detection; with auto, besides it. ${kGlob}`),
  text("exclude", ["unfreeze", "transfer", "diff", "save"], "Leave these weights out", kGlob),
  text("rename", ["freeze", "transfer", "diff", "save"], "Rules for names", "FROM=TO; what a star stands for is kept: old/**=new/**"),
  {
    key: "style", kind: "choice", tools: ["unfreeze"], label: "Kind of variables", hint: "",
    known: [["", "As the graph had them"], ["resource", "Resource (TensorFlow 2)"], ["ref", "Ref (TensorFlow 1)"]],
  },
  {
    key: "match", kind: "choice", tools: ["transfer", "diff"], label: "Where names differ", hint: "",
    known: [["", "Leave them"], ["value", "Pair equal values"], ["shape", "Pair by shape and place"], ["value,shape", "Pair by both"]],
  },
  flag("noSlots", ["transfer", "diff", "save"], "Without optimizer slots"),
  flag("strict", ["transfer"], "Refuse unless every variable is matched"),
  flag("partial", ["transfer"], "Matched variables alone, as a checkpoint"),
  text("cast", ["transfer", "save"], "Convert types", "FROM=TO: float64=float32"),
  flag("initialValues", ["unfreeze"], "Store the initial values in the .meta"),
  flag("dropChecks", ["prune", "freeze"], "Leave out Assert, Print, CheckNumerics"),
  flag("spliceIdentities", ["prune", "freeze"], "Leave out Identity where safe"),
  flag("clearDevices", ["prune", "freeze"], "Ask for no device"),
  flag("stripDefaults", ["prune", "freeze"], "Leave out default attributes"),
  flag("lowerControlFlow", ["freeze"], "While and If become plain nodes"),
  flag("noInline", ["freeze"], "Leave function calls be"),
  flag("foldAssets", ["freeze"], "Fill tables from constants"),
  flag("likeTensorflow", ["prune", "freeze"], "Byte for byte as TensorFlow's own tool"),
  flag("checksum", ["validate", "diff"], "Read every weight and check its CRC"),
];

function text(key: string, tools: readonly Tool[], label: string, hint: string): Field {
  return { key, kind: "text", tools, label, hint };
}

function flag(key: string, tools: readonly Tool[], label: string): Field {
  return { key, kind: "flag", tools, label, hint: "" };
}

export function fieldsOf(tool: Tool): readonly Field[] {
  return kFields.filter(({ tools }) => tools.includes(tool));
}

const kLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(kFields.map(({ key, label }) => [key, label])), outputs: kWords.outputsToKeep, as: kWords.saveAs,
};

/** What the core says of the command line, said of this page: options as they are called here, lists as the tables they stand in. */
export function ofPage(text: string): string {
  return text
    .replace(/(?:list|see) the (\w+)(?: there are with)?: cryograph list PATH (\w+)/, (_, what: string, list: string) => `the ${what} are in the table of ${list === "inputs" ? "nodes" : list}`)
    .replace(/: cryograph \w+ PATH -o \S+/, "")
    .replace(/ \(-o [^)]*\)| ?(?:,|:)? -o NAME\S*/g, "")
    .replace(/--([a-z-]+)/g, (option, name: string) => {
      const label = kLabels[name.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase())];
      return label ? `“${label}”` : option;
    });
}

/** What a step's choice comes to for one tool; without outputs the core takes the likeliest and says so. */
export function optionsOf(tool: Tool, { about, choice: { outputs, texts, flags } }: Pick<Step, "about" | "choice">): Options {
  const options: Record<string, string | boolean | readonly string[]> = {};
  const wanted = [...outputs, ...names(texts["more"] ?? "")];
  // None at all is refused by the core, unless it knows none either.
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
  return options;
}

// The signatures whose outputs, all of them and no others, are wanted: a frozen graph then has the names of their arguments.
function signaturesOf({ signatures }: InspectReport, wanted: readonly string[]): string[] | null {
  const port = (name: string) => name.replace(/:0$/, "");
  const outputs = ([, { outputs: of }]: [string, Signature]) => Object.values(of).map(({ name }) => port(name));
  const chosen = new Set(wanted.map(port));
  const whole = Object.entries(signatures).filter((each) => outputs(each).length > 0 && outputs(each).every((name) => chosen.has(name)));
  const covered = new Set(whole.flatMap(outputs));
  return whole.length > 0 && [...chosen].every((name) => covered.has(name)) ? whole.map(([key]) => key) : null;
}

/** The outputs that freeze and prune take when none is named: those of signatures, else the likeliest that belong together. */
export function likelyChoice({ outputs }: InspectReport): Choice {
  const likely = outputs.filter(({ chosen }) => chosen).map(({ name }) => name);
  return { outputs: new Set(likely), texts: {}, flags: new Set() };
}

/** Those a tool may be used for, the likeliest first. */
export function toolsOf(about: InspectReport): Tool[] {
  if (isWeightsAlone(about)) return ["save", "diff"];
  const order: Record<InspectReport["weights"], Tool[]> = {
    checkpoint: ["freeze", "prune", "transfer", "unfreeze"],
    constants: ["unfreeze", "prune", "transfer"],
    variables: ["prune", "transfer", "freeze"],
    none: ["prune"],
  };
  return [...order[about.weights], "validate", "diff", "save"];
}
