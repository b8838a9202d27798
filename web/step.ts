import type { CallOptions, Diagnostic, InspectReport, Model, OutputFile, Pass, PassReport } from "./engine.js";
import { stem } from "./format.js";
import type { Choice, Form, Made, Saved, Step } from "./state.js";
import { kForms, kWords, type FormName } from "./words.js";

interface Pending {
  pass: Pass;
  report: PassReport;
  /** What was opened: outputs are named after it. */
  first: Step;
}

/** Looks at a new model and, where a pass made it, prepares its files. Nothing of the weights is read for a graph. */
export async function makeStep(title: string, model: Model, call: CallOptions, pending?: Pending): Promise<Step> {
  try {
    const about = await model.inspect({ ...call });
    const made = pending ? await write(model, about, pending, call) : null;
    return { title, model, about, choice: likely(about), made, verdict: null, saved: null };
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
export async function save({ model }: Step, first: Step, name: FormName, call: CallOptions): Promise<Saved> {
  const { label, ending, arrays } = kForms[name];
  const source = arrays ? await model.weights({ ...call }) : model;
  try {
    const files = await source.write({ as: name, out: `${nameOf(first.about)}${ending}`, ...call });
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

function nameOf({ model, files }: InspectReport): string {
  return stem(model || files[0]?.path || "");
}

// All that the model names itself; of a guess, the best.
function likely({ outputs, outputsCertain }: InspectReport): Choice {
  const names = (outputsCertain ? outputs : outputs.slice(0, 1)).map(({ name }) => name);
  return { outputs: new Set(names), more: "", inputs: "" };
}

async function write(
  model: Model, about: InspectReport, { pass, report, first }: Pending, call: CallOptions): Promise<Made> {
  const forms: Form[] = [];
  const remarks: Diagnostic[] = [];
  const outs = outputNames(pass, about, nameOf(first.about));
  for (const out of outs) {
    const files = await model.write({ out, ...call });
    forms.push({ title: titleOf(out, outs.length > 1), files: files.map(download) });
    // A graph alone has no values of variables: its caption says so.
    remarks.push(...files.report.diagnostics.filter(({ code }) => code !== "weights-left-out"));
  }
  return { pass, report, forms, remarks };
}

function outputNames(pass: Pass, { weights }: InspectReport, name: string): string[] {
  if (pass === "unfreeze") return [`${name}.ckpt`];
  if (pass === "freeze") return [`${name}.frozen.pb`];
  return weights === "checkpoint" ? [`${name}.pruned.ckpt`, `${name}.pruned.pb`] : [`${name}.pruned.pb`];
}

function titleOf(out: string, several: boolean): string {
  if (!out.endsWith(".pb")) return kWords.checkpointForm;
  return several ? kWords.graphOnlyForm : kWords.graphForm;
}

function download(file: OutputFile) {
  return { name: file.path, size: file.size, url: URL.createObjectURL(file.blob()) };
}
