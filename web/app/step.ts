import { likelyChoice } from "../operate/options.js";
import { stem } from "../words/format.js";
import { kForms, kWords, type FormName } from "../words/words.js";
import type { CallOptions, Diagnostic, InspectReport, Model, OutputFile } from "./engine.js";
import { withOptions } from "./passes.js";
import type { Download, Form, Made, Options, Pass, Saved, Step } from "./state.js";

interface Pending {
  pass: Pass;
  options: Options;
  /** The step of the opened model, which gives outputs their names. */
  first: Step;
}

let ids = 0;

/** Inspects a new model and, if a pass made it, writes its files. No weights are read for a graph. */
export async function makeStep(title: string, model: Model, call: CallOptions, pending?: Pending): Promise<Step> {
  try {
    const about = await model.inspect({ ...call });
    const made = pending ? await write(model, about, pending, call) : null;
    const choice = likelyChoice(about);
    return {
      id: ++ids,
      title,
      model,
      about,
      choice,
      made,
      verdict: null,
      difference: null,
      change: null,
      saved: null,
      verified: null,
      lists: {},
    };
  } catch (error) {
    model.close();
    throw error;
  }
}

/** Frees a step's models and files. */
export function release({ model, made, saved }: Step): void {
  model.close();
  made?.forms.forEach(revoke);
  if (saved) revoke(saved.form);
}

/** The files of a model in a form of the list; of arrays, those of its weights. */
export async function save(
  { model }: Step,
  first: Step,
  name: FormName,
  options: Options,
  call: CallOptions,
): Promise<Saved> {
  const { label, ending, arrays } = kForms[name];
  const source = arrays ? await model.weights(withOptions(options, call)) : model;
  try {
    const files = await source.write({ as: kForms[name].as, out: `${nameOf(first.about)}${ending}`, ...call });
    const remarks = arrays ? source.report.diagnostics : [];
    return {
      form: form(label, files, { as: kForms[name].as, out: `${nameOf(first.about)}${ending}.zip` }),
      remarks: [...remarks, ...files.report.diagnostics],
    };
  } finally {
    if (source !== model) source.close();
  }
}

/** The files of a form as one file, stored: a checksum of each has to be computed, so they are read. */
export async function zipped({ model }: Step, { zip }: Form, call: CallOptions): Promise<Download> {
  const [file] = await model.write({ ...zip!, ...call });
  return download(file!);
}

/** Revokes a form's files. */
export function revoke({ files, zipped: zip }: Form): void {
  for (const { url } of zip ? [...files, zip] : files) URL.revokeObjectURL(url);
}

function form(title: string, files: readonly OutputFile[], zip: Form["zip"]): Form {
  return { title, files: files.map(download), zip: files.length > 1 ? zip : null, zipped: null, savedIn: "" };
}

export function nameOf({ model, files }: InspectReport): string {
  return stem(model || files[0]?.path || "");
}

async function write(
  model: Model,
  about: InspectReport,
  { pass, options, first }: Pending,
  call: CallOptions,
): Promise<Made> {
  const forms: Form[] = [];
  const remarks: Diagnostic[] = [];
  const outs = outputNames(pass, about, nameOf(first.about));
  for (const out of outs) {
    const files = await model.write({ out, ...call });
    const asFolder = out.endsWith("/");
    forms.push(
      form(
        titleOf(out, outs.length > 1),
        files,
        asFolder ? { as: "savedmodel", out: `${out.slice(0, -1)}.zip` } : { out: `${out}.zip` },
      ),
    );
    // A graph alone has no values of variables, which its caption explains.
    remarks.push(...files.report.diagnostics.filter(({ code }) => code !== "weights-left-out"));
  }
  return { pass, options, report: model.report as Made["report"], forms, remarks };
}

const kMarks: Record<Pass, string> = {
  freeze: ".frozen",
  prune: ".pruned",
  unfreeze: "",
  transfer: ".transferred",
  repair: ".repaired",
};

// A model that still has variables with values is written as a graph with its checkpoint; a pruned one also as the
// graph alone. A repaired model keeps its format.
function outputNames(pass: Pass, { weights, kind }: InspectReport, name: string): string[] {
  const marked = `${name}${kMarks[pass]}`;
  if (pass === "repair" && kind === "saved-model") return [`${marked}/`];
  if (weights !== "checkpoint") return [pass === "unfreeze" ? `${marked}.ckpt` : `${marked}.pb`];
  return pass === "prune" ? [`${marked}.ckpt`, `${marked}.pb`] : [`${marked}.ckpt`];
}

function titleOf(out: string, several: boolean): string {
  if (out.endsWith("/")) return kWords.savedModelForm;
  if (!out.endsWith(".pb")) return kWords.checkpointForm;
  return several ? kWords.graphOnlyForm : kWords.graphForm;
}

function download(file: OutputFile): Download {
  const blob = file.blob();
  return { name: file.path, size: file.size, blob, url: URL.createObjectURL(blob) };
}
