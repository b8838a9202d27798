import type { CallOptions, Diagnostic, InspectReport, Model, OutputFile } from "./engine.js";
import { stem } from "./format.js";
import { likelyChoice } from "./options.js";
import { withOptions } from "./passes.js";
import type { Form, Made, Options, Pass, Saved, Step } from "./state.js";
import { kForms, kWords, type FormName } from "./words.js";

interface Pending {
  pass: Pass;
  options: Options;
  /** What was opened: outputs are named after it. */
  first: Step;
}

let ids = 0;

/** Looks at a new model and, where a pass made it, prepares its files. Nothing of the weights is read for a graph. */
export async function makeStep(title: string, model: Model, call: CallOptions, pending?: Pending): Promise<Step> {
  try {
    const about = await model.inspect({ ...call });
    const made = pending ? await write(model, about, pending, call) : null;
    const choice = likelyChoice(about);
    return { id: ++ids, title, model, about, choice, made, verdict: null, difference: null, saved: null, verified: null, lists: {} };
  } catch (error) {
    model.close();
    throw error;
  }
}

/** Gives back what a step holds. */
export function release({ model, made, saved }: Step): void {
  model.close();
  made?.forms.forEach(revoke);
  if (saved) revoke(saved.form);
}

/** The files of a model in a form of the list; of arrays, those of its weights. */
export async function save({ model }: Step, first: Step, name: FormName, options: Options, call: CallOptions): Promise<Saved> {
  const { label, ending, arrays } = kForms[name];
  const source = arrays ? await model.weights(withOptions(options, call)) : model;
  try {
    const files = await source.write({ as: kForms[name].as, out: `${nameOf(first.about)}${ending}`, ...call });
    const remarks = arrays ? source.report.diagnostics : [];
    return { form: { title: label, files: files.map(download) }, remarks: [...remarks, ...files.report.diagnostics] };
  } finally {
    if (source !== model) source.close();
  }
}

/** A form's files are no longer wanted. */
export function revoke({ files }: Form): void {
  for (const { url } of files) URL.revokeObjectURL(url);
}

export function nameOf({ model, files }: InspectReport): string {
  return stem(model || files[0]?.path || "");
}

async function write(model: Model, about: InspectReport, { pass, options, first }: Pending, call: CallOptions): Promise<Made> {
  const forms: Form[] = [];
  const remarks: Diagnostic[] = [];
  const outs = outputNames(pass, about, nameOf(first.about));
  for (const out of outs) {
    const files = await model.write({ out, ...call });
    forms.push({ title: titleOf(out, outs.length > 1), files: files.map(download) });
    // A graph alone has no values of variables: its caption says so.
    remarks.push(...files.report.diagnostics.filter(({ code }) => code !== "weights-left-out"));
  }
  return { pass, options, report: model.report as Made["report"], forms, remarks };
}

const kMarks: Record<Pass, string> = { freeze: ".frozen", prune: ".pruned", unfreeze: "", transfer: ".transferred", repair: ".mended" };

// What still has variables with values is a graph with its checkpoint; pruned, also the graph alone. Mended is what it was.
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

function download(file: OutputFile) {
  const blob = file.blob();
  return { name: file.path, size: file.size, blob, url: URL.createObjectURL(blob) };
}
