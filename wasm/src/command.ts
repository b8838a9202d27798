import { CryographError, failure } from "./errors.js";
import { packageOver } from "./host.js";
import { nodeHost } from "./host_node.js";
import type { Model } from "./model.js";
import type { OutputFile } from "./output.js";
import { saveAll } from "./save.js";
import type { Progress, Report, What } from "./types.js";
import type { Pass } from "./worker_protocol.js";

/** What the command line asks for, as the core reads it. */
export interface CommandLine {
  verb: string;
  path: string;
  /** Of the second model, of verbs that take two. */
  other: string | null;
  /** By their camelCase names; with WHAT of `list` among them. */
  options: Record<string, string | boolean | string[]>;
}

/** What a command came to: the reports of its steps, and the exit status. */
export interface Result {
  reports: Report[];
  status: number;
}

type Options = CommandLine["options"];

const kDone = 0;
const kNo = 1;
const kCannot = 3;
const { open, explain } = packageOver(nodeHost);

/** Opens, carries out the verb, writes what there is to write. */
export async function run(line: CommandLine): Promise<Result> {
  const { verb, path, options } = line;
  const reports: Report[] = [];
  try {
    if (verb === "serve") {
      const { serve } = await import("./serve.js");
      return { reports: [await serve(options)], status: kDone };
    }
    if (options["explain"]) return { reports: [await explain(options["explain"] as string)], status: kDone };
    using model = await opened(line, path, options);
    const ofBoth = Object.fromEntries(Object.entries(options).filter(([key]) => key !== "checkpoint"));
    using other = line.other === null ? null : await opened(line, line.other, ofBoth);
    return { reports, status: await carryOut(line, model, other, reports) };
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

async function carryOut({ verb, options }: CommandLine, model: Model, other: Model | null, reports: Report[]): Promise<number> {
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
      return report.valid && (report.sound || !options["strict"]) ? kDone : kNo;
    }
    case "diff": {
      const report = await model.diff(other!, options);
      reports.push(report);
      return report.equal ? kDone : kNo;
    }
    case "verify": {
      const { verifyFiles } = await import("./command_verify.js");
      const report = await verifyFiles(model, other!, options);
      reports.push(report);
      return report.equal ? kDone : kNo;
    }
    default: {
      using made = await (verb === "transfer" ? model.transfer({ ...options, from: other! }) : model[verb as Pass](options));
      await putModel(made, options, reports);
      return kDone;
    }
  }
}

async function putModel(made: Model, options: Options, reports: Report[]): Promise<void> {
  reports.push(made.report);
  const files = await made.write(options);
  await put(files, options);
  reports.push(files.report);
}

// From here on Ctrl-C leaves nothing behind; before, there is nothing yet.
async function put(files: readonly OutputFile[], options: Options): Promise<void> {
  const stop = new AbortController();
  const interrupted = () => stop.abort(failure("cancelled", "cancelled; nothing was written", ""));
  const out = options["out"] as string;
  const folder = out.slice(0, out.lastIndexOf("/") + 1);
  process.once("SIGINT", interrupted);
  try {
    // Only OUT itself is made where it is a folder, or the folder whose main file it is.
    const root = out.slice(folder.length) === "saved_model.pbtxt" ? folder : `${out.replace(/\/+$/, "")}/`;
    const placed = files.map((file) => ({ file, target: folder + file.path, root }));
    const quiet = options["quiet"] || options["json"] || !process.stderr.isTTY;
    const onProgress = quiet ? () => {} : progressLine(files.reduce((sum, { size }) => sum + size, 0));
    await saveAll(placed, { force: options["force"] === true, signal: stop.signal, onProgress });
  } finally {
    process.removeListener("SIGINT", interrupted);
  }
}

// One line that is written over, and is gone in the end.
function progressLine(total: number): (progress: Progress) => void {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return ({ bytes }) => {
    const line = bytes < total ? `${megabytes(bytes)} of ${megabytes(total)}` : "";
    process.stderr.write(`\r${line}\x1b[K`);
  };
}

// What went wrong while opening, told of the verb that was asked for.
function under(error: unknown, what: { verb: string; model: string }): CryographError {
  const { diagnostics, report, status, cause } = asError(error);
  return new CryographError(diagnostics, report && { ...report, ...what }, { cause, status });
}

function asError(error: unknown): CryographError {
  if (error instanceof CryographError) return error;
  return failure("not-done", error instanceof Error ? error.message : String(error), "", error, kCannot);
}
