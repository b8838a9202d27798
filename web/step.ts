import type { CallOptions, Diagnostic, InspectReport, Model, OutputFile, Pass, PassReport } from "./engine.js";
import { stem } from "./format.js";
import type { Choice, Form, Made, Step } from "./state.js";

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
    return { title, model, about, choice: likely(about), made, verdict: null };
  } catch (error) {
    model.close();
    throw error;
  }
}

/** Gives back what a step holds. */
export function release({ model, made }: Step): void {
  model.close();
  for (const { files } of made?.forms ?? []) for (const { url } of files) URL.revokeObjectURL(url);
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
  for (const out of outputNames(pass, about, stem(first.about.model || first.about.files[0]?.path || ""))) {
    const files = await model.write({ out, ...call });
    forms.push({ kind: out.endsWith(".pb") ? "graph" : "checkpoint", files: files.map(download) });
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

function download(file: OutputFile) {
  return { name: file.path, size: file.size, url: URL.createObjectURL(file.blob()) };
}
