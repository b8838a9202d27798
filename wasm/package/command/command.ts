import { CryographError, failure } from "../api/errors.js";
import { packageOver } from "../host/host.js";
import { nodeHost } from "../host/host_node.js";
import type { Model } from "../api/model.js";
import type { OutputFile } from "../api/output.js";
import { removeUnfinished } from "../save/part_file.js";
import { saveAll } from "../save/save.js";
import type { Progress, Report, What } from "../api/types.js";

type Pass = "prune" | "freeze" | "unfreeze" | "weights" | "convert" | "repair";

/** A command line, as the core parses it. */
export interface CommandLine {
  verb: string;
  path: string;
  /** The path of the second model, for verbs that take two. */
  other: string | null;
  /** The options, by their camelCase names, including the kind of `list`. */
  options: Record<string, string | boolean | string[]>;
}

/** The result of a command: the reports of its steps, and the exit status. */
export interface Result {
  reports: Report[];
  status: number;
}

type Options = CommandLine["options"];

const kDone = 0;
const kNo = 1;
const kCannot = 3;
const kSignals: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXFSZ"];
const { open, explain } = packageOver(nodeHost);

/** Opens the model, runs the verb, writes the outputs. */
export async function run(line: CommandLine): Promise<Result> {
  const { verb, path, options } = line;
  const reports: Report[] = [];
  try {
    if (verb === "serve") {
      const { serve } = await import("./serve.js");
      return { reports: [await serve(options)], status: kDone };
    }
    checkOut(options["out"]);
    if (options["explain"]) return { reports: [await explain(options["explain"] as string)], status: kDone };
    using model = await opened(line, path, options);
    const ofBoth = Object.fromEntries(Object.entries(options).filter(([key]) => key !== "checkpoint"));
    using other = line.other === null ? null : await opened(line, line.other, ofBoth);
    const status = await carryOut(line, model, other, reports);
    // Files were checked before they replaced others: afterwards it is too late to fail.
    const wrote = options["out"] !== undefined || options["script"] !== undefined;
    if (!wrote) for (const each of [model, other]) each?.checkUnchanged();
    return { reports, status };
  } catch (error) {
    const failed = asError(error);
    reports.push(failed.report ?? { verb, model: path, diagnostics: failed.diagnostics });
    return { reports, status: failed.status };
  }
}

function opened({ verb }: CommandLine, path: string, options: CommandLine["options"]): Promise<Model> {
  return open(path, options).catch((error: unknown) => {
    throw under(error, { verb, model: path });
  });
}

async function carryOut(
  { verb, options }: CommandLine,
  model: Model,
  other: Model | null,
  reports: Report[],
): Promise<number> {
  switch (verb) {
    case "inspect":
      reports.push(model.inspect(options));
      return kDone;
    case "list":
      reports.push(model.list(options["what"] as What, options));
      return kDone;
    case "validate": {
      using made = options["fix"] ? await model.repair(options) : null;
      if (made) await putModel(made, options, reports);
      const report = made?.report ?? (await model.validate(options));
      if (!made) reports.push(report);
      return report.sound && !(options["strict"] && report.warnings > 0) ? kDone : kNo;
    }
    case "draw": {
      const files = await model.draw(options, other);
      await put(files, options, () => model.checkUnchanged());
      reports.push(files.report);
      return kDone;
    }
    case "diff": {
      const report = await model.diff(other!, options);
      reports.push(report);
      return report.equal ? kDone : kNo;
    }
    case "verify": {
      const { verifyFiles } = await import("./command_verify.js");
      const report = await verifyFiles(model, other!, options);
      const check = () => [model, other!].forEach((each) => each.checkUnchanged());
      if (report.script) await put(report.script, { ...options, out: options["script"]! }, check);
      reports.push(report);
      return { equal: kDone, different: kNo, undecided: kCannot }[report.verdict];
    }
    default: {
      using made = await (verb === "transfer"
        ? model.transfer({ ...options, from: other! })
        : model[verb as Pass](options));
      await putModel(made, options, reports);
      return kDone;
    }
  }
}

async function putModel(made: Model, options: Options, reports: Report[]): Promise<void> {
  reports.push(made.report);
  const files = await made.write(options);
  await put(files, options, () => made.checkUnchanged());
  reports.push(files.report);
}

async function put(files: readonly OutputFile[], options: Options, check: () => void): Promise<void> {
  const out = options["out"] as string;
  const folder = out.slice(0, out.lastIndexOf("/") + 1);
  // Only OUT itself is created if it is a folder, or the folder whose main file it is.
  const root = out.slice(folder.length) === "saved_model.pbtxt" ? folder : `${out.replace(/\/+$/, "")}/`;
  const placed = files.map((file) => ({ file, target: folder + file.path, root }));
  const quiet = options["quiet"] || options["json"] || !process.stderr.isTTY;
  const onProgress = quiet ? () => {} : progressLine(files.reduce((sum, { size }) => sum + size, 0));
  await cleaningUpOnSignals(() => saveAll(placed, { force: options["force"] === true, check, onProgress }));
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

// A progress line that is overwritten, and removed at the end.
function progressLine(total: number): (progress: Progress) => void {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return ({ bytes }) => {
    const line = bytes < total ? `${megabytes(bytes)} of ${megabytes(total)}` : "";
    process.stderr.write(`\r${line}\x1b[K`);
  };
}

// Returns an error of opening as an error of the requested verb.
function under(error: unknown, what: { verb: string; model: string }): CryographError {
  const { diagnostics, report, status, cause } = asError(error);
  return new CryographError(diagnostics, report && { ...report, ...what }, { cause, status });
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
