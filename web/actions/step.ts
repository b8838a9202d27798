import type { CallOptions, InspectReport, Model, OutputFile, PlannedCall, WriteReport } from "../engine/engine.js";
import type { Download, Form, PassResult, Options, Pass, Saved, Step } from "../state/state.js";
import { likelyChoice } from "../tools/options.js";
import { outputNames } from "../tools/output_names.js";
import { nameOf } from "../words/files.js";
import { kForms, kWords, type FormName } from "../words/words.js";

type Written = OutputFile[] & { report: WriteReport };

/** The pass that makes the model of a step. */
export interface Pending {
  pass: Pass;
  options: Options;
  /** The step of the opened model, which gives outputs their names. */
  first: Step;
}

let ids = 0;

/**
 * Returns the calls that describe a new model, in one answer: its report and, of a model that a pass made, its files. No
 * weights are read for a graph.
 */
export function describingCalls(pending?: Pending): PlannedCall[] {
  const inspect = { method: "inspect" };
  if (!pending) return [inspect];
  return [inspect, { method: "writeOutputs", args: [pending.pass, nameOf(pending.first.about)] }];
}

/** Makes a step of a model and the results of describingCalls(). */
export function makeStep(title: string, model: Model, results: readonly unknown[], pending?: Pending): Step {
  const [about, ...written] = results as [InspectReport, ...Written[]];
  return {
    id: ++ids,
    title,
    model,
    about,
    choice: likelyChoice(about),
    made: pending ? madeFiles(model, about, pending, written) : null,
    verdict: null,
    compat: null,
    difference: null,
    change: null,
    saved: null,
    verified: null,
    lists: {},
  };
}

/** Frees a step's models and files. */
export function release({ model, made, saved }: Step): void {
  model.close();
  made?.forms.forEach(revoke);
  if (saved) revoke(saved.form);
}

/** The files of a model in a form of the list; of arrays, those of its weights and of other models'. */
export async function save(
  { model }: Step,
  first: Step,
  name: FormName,
  { shardSize, ...options }: Options,
  others: readonly Model[],
  call: CallOptions,
): Promise<Saved> {
  const { label, ending, arrays, as } = kForms[name];
  const out = `${nameOf(first.about)}${ending}`;
  const calls = [
    ...(arrays ? [{ method: "weights", options: { ...options, with: others } }] : []),
    {
      method: "write",
      options: { as, out, snippet: arrays === true, ...(shardSize && { shardSize: Number(shardSize) }) },
    },
  ];
  const results = await model.run(calls, call);
  const files = results.at(-1) as Written;
  const source = arrays ? (results[0] as Model) : null;
  source?.close();
  return {
    form: { ...form(label, files, { as, out }, { as, out: `${out}.zip` }), snippet: codeOf(files.report) },
    remarks: [...(source?.report.diagnostics ?? []), ...files.report.diagnostics],
  };
}

/** The files of a form as one file, stored: a checksum of each has to be computed, so they are read. */
export async function zipped({ model }: Step, { zip }: Form, call: CallOptions): Promise<Download> {
  const [file] = await model.write({ ...zip!, ...call });
  return download(file!);
}

/** The lines of a program that loads the files of a form. */
export async function snippetOf({ model }: Step, { write }: Form, call: CallOptions): Promise<string> {
  const { report } = await model.write({ ...write, snippet: true, ...call });
  return codeOf(report);
}

function codeOf({ snippet }: WriteReport): string {
  return snippet?.lines.join("\n") ?? "";
}

/** Revokes a form's files. */
export function revoke({ files, zipped: zip }: Form): void {
  for (const { url } of zip ? [...files, zip] : files) URL.revokeObjectURL(url);
}

function form(title: string, files: readonly OutputFile[], write: Form["write"], zip: Form["zip"]): Form {
  const later = { snippet: "", zipped: null, savedIn: "" };
  return { title, files: files.map(download), write, zip: files.length > 1 ? zip : null, ...later };
}

// A graph alone has no values of variables, which its caption explains.
function madeFiles(
  model: Model,
  about: InspectReport,
  { pass, options, first }: Pending,
  written: readonly Written[],
): PassResult {
  const outs = outputNames(pass, about, nameOf(first.about));
  const forms = outs.map((out, i) => {
    const zip = out.endsWith("/")
      ? { as: "savedmodel" as const, out: `${out.slice(0, -1)}.zip` }
      : { out: `${out}.zip` };
    return form(titleOf(out, outs.length > 1), written[i]!, { out }, zip);
  });
  const remarks = written.flatMap(({ report }) => report.diagnostics);
  return {
    pass,
    options,
    report: model.report as PassResult["report"],
    forms,
    remarks: remarks.filter(({ code }) => code !== "weights-left-out"),
  };
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
