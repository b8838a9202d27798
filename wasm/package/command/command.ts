import { kDispose } from "../base/dispose.js";
import { CryographError, failure } from "../base/errors.js";
import type { CommandBinding, CommandLine, Printing } from "./command_binding.js";
import { ProgressBar } from "./progress_bar.js";
import { writeToStandardOutput } from "./standard_output.js";
import { packageOver } from "../host/host.js";
import { nodeHost } from "../host/host_node.js";
import { type Model, statusOf } from "../model/model.js";
import type { OutputFile } from "../model/output.js";
import { removeUnfinished } from "../save/part_file.js";
import { type Placed, saveAll } from "../save/save.js";
import { type CallRow, kCalls, type PassName } from "../types/calls.js";
import type { CallOptions, Progress, Report, What } from "../types/types.js";

/** The result of a command: the reports of its steps, and the exit status. */
export interface Result {
  reports: Report[];
  status: number;
}

type Options = CommandLine["options"] & CallOptions;

const kDone = 0;
const kNo = 1;
const kCannot = 3;
const kSignals: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXFSZ"];
const { open, explain } = packageOver(nodeHost);

/** The state of a command that is carried out. */
interface Context {
  line: CommandLine;
  /** The options of the line, with a watch on what is read. */
  options: Options;
  /** Progress is shown. */
  shown: boolean;
  binding: CommandBinding;
  bar: ProgressBar;
  reports: Report[];
}

/** Carries out a verb on one of the models of a command line: opens it, runs the verb, writes what it made. */
export async function run(
  binding: CommandBinding,
  line: CommandLine,
  path: string,
  { json, quiet }: Printing,
): Promise<Result> {
  const shown = !json && !quiet;
  const bar = new ProgressBar(binding, "reading", shown);
  const context: Context = { line, options: line.options, shown, binding, bar, reports: [] };
  try {
    return { reports: context.reports, status: await runVerb(context, path) };
  } catch (error) {
    const failed = asError(error);
    const report = failed.report ?? { verb: line.verb, model: path, diagnostics: failed.diagnostics };
    return { reports: [...context.reports, report], status: failed.status };
  } finally {
    bar.end();
  }
}

async function runVerb(context: Context, path: string): Promise<number> {
  const { line, reports } = context;
  const { verb, options } = line;
  if (verb === "serve") {
    const { serve } = await import("./serve.js");
    reports.push(await serve(options));
    return kDone;
  }
  checkOut(options["out"]);
  if (options["explain"]) {
    reports.push(await explain(options["explain"] as string));
    return kDone;
  }
  let total = 0;
  const onProgress = ({ bytes }: Progress) => context.bar.show(bytes, total);
  const watched = (each: CommandLine["options"]): Options => Object.assign({}, each, { onProgress });
  using models = new Models();
  models.add(await opened(line, path, watched(options)));
  const ofAll = Object.fromEntries(Object.entries(options).filter(([key]) => key !== "checkpoint"));
  for (const each of line.others) models.add(await opened(line, each, watched(ofAll)));
  const [model, ...others] = models.all as [Model, ...Model[]];
  // These read every byte.
  if (options["checksum"] || verb === "diff") total = models.all.reduce((sum, each) => sum + bytesOf(each), 0);
  const status = await carryOut({ ...context, options: watched(options) }, model, others);
  // Files were checked before they replaced others: afterwards it is too late to fail.
  const wrote = options["out"] !== undefined || options["script"] !== undefined;
  if (!wrote) for (const each of models.all) each.checkUnchanged();
  return status;
}

// The open models of a command line.
class Models {
  readonly all: Model[] = [];

  add(model: Model): void {
    this.all.push(model);
  }

  [kDispose](): void {
    for (const each of this.all) each.close();
  }
}

function bytesOf(model: Model): number {
  return model.inspect().files.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

function opened({ verb, nearVerb }: CommandLine, path: string, options: Options): Promise<Model> {
  return open(path, options).catch((error: unknown) => {
    throw under(error, { verb, model: path }, nearVerb);
  });
}

async function carryOut(context: Context, model: Model, others: readonly Model[]): Promise<number> {
  const { line, options, reports } = context;
  const [other = null] = others;
  const { verb } = line;
  const push = (report: Report) => {
    reports.push(report);
    return statusOf(report);
  };
  switch (verb) {
    case "inspect":
      return push(model.inspect(options));
    case "list":
      return push(model.list(options["what"] as What, options));
    case "validate": {
      using made = options["fix"] ? await model.repair(options) : null;
      if (!made) return push(await model.validate(options));
      await putModel(context, made);
      return statusOf(made.report);
    }
    case "draw": {
      const files = await model.draw(options, other);
      await put(context, files, () => model.checkUnchanged());
      reports.push(files.report);
      return kDone;
    }
    case "compat":
      return push(await model.compat(options));
    case "diff":
      return push(await model.diff(other!, options));
    case "verify": {
      const { verifyFiles } = await import("./command_verify.js");
      const report = await verifyFiles(model, other!, options);
      const check = () => [model, other!].forEach((each) => each.checkUnchanged());
      if (report.script) await put(context, report.script, check, options["script"] as string);
      reports.push(report);
      return { equal: kDone, different: kNo, undecided: kCannot }[report.verdict];
    }
    default: {
      using made = await passed(model, verb as PassName, options, others);
      await putModel(context, made);
      return kDone;
    }
  }
}

function passed(model: Model, verb: PassName, options: Options, others: readonly Model[]): Promise<Model> {
  const { other }: CallRow = kCalls[verb];
  const call: (options: CallOptions) => Promise<Model> = model[verb].bind(model) as never;
  return call(other ? { ...options, [other.key]: other.several ? others : others[0] } : options);
}

async function putModel(context: Context, made: Model): Promise<void> {
  context.reports.push(made.report);
  const files = await made.write(context.options);
  await put(context, files, () => made.checkUnchanged());
  context.reports.push(files.report);
}

async function put(
  { line, options, binding, shown, bar }: Context,
  files: readonly OutputFile[],
  check: () => void,
  out = options["out"] as string,
): Promise<void> {
  bar.end();
  const writing = new ProgressBar(binding, "writing", shown);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const onProgress = ({ bytes }: Progress) => writing.show(bytes, total);
  try {
    if (line.toStandardOutput) return await writeToStandardOutput(files, check, onProgress);
    const placed = placesOf(files, out);
    await cleaningUpOnSignals(() => saveAll(placed, { force: options["force"] === true, check, onProgress }));
  } finally {
    writing.end();
  }
}

// Only OUT itself is created if it is a folder, or the folder whose main file it is.
function placesOf(files: readonly OutputFile[], out: string): Placed[] {
  const folder = out.slice(0, out.lastIndexOf("/") + 1);
  const root = out.slice(folder.length) === "saved_model.pbtxt" ? folder : `${out.replace(/\/+$/, "")}/`;
  return files.map((file) => ({ file, target: folder + file.path, root }));
}

// Cleans up on signals while files are written: a signal removes unfinished files and then ends the process as it would
// have. At other times there is nothing to remove, and a signal ends it at once, whatever it computes.
async function cleaningUpOnSignals(work: () => Promise<void>): Promise<void> {
  const ended = (signal: NodeJS.Signals) => {
    removeUnfinished();
    for (const each of kSignals) process.removeListener(each, ended);
    process.kill(process.pid, signal);
  };
  for (const signal of kSignals) process.once(signal, ended);
  try {
    await work();
  } finally {
    for (const signal of kSignals) process.removeListener(signal, ended);
  }
}

// Node decodes the command line as UTF-8, and replaces invalid bytes by U+FFFD: a file of another name would be
// written.
function checkOut(out: unknown): void {
  if (typeof out !== "string" || !out.includes("\ufffd")) return;
  throw failure(
    "write-failed",
    "the name of the output is not UTF-8, and Node cannot write a file of that name",
    "give it another name, or use the native program",
  );
}

// Returns an error of opening as an error of the requested verb. `nearVerb`: the verb that may be meant, or "".
function under(error: unknown, what: { verb: string; model: string }, nearVerb: string): CryographError {
  const { diagnostics, report, status, cause } = asError(error);
  const hint = nearVerb && `; or did you mean the verb ${nearVerb}?`;
  const hinted = diagnostics.map((each) => (each.severity === "error" ? { ...each, fix: each.fix + hint } : each));
  return new CryographError(hinted, report && { ...report, ...what, diagnostics: hinted }, { cause, status });
}

/** Any error as one with a code. */
export function asError(error: unknown): CryographError {
  if (error instanceof CryographError) return error;
  if (error instanceof RangeError && /allocation failed|Invalid string length|Invalid array/.test(error.message))
    return failure(
      "out-of-memory",
      "there is not enough memory for this model",
      "use the native program",
      error,
      kCannot,
    );
  return failure("not-done", error instanceof Error ? error.message : String(error), "", error, kCannot);
}
