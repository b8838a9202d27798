import type { CommandLine } from "./command_line.js";
import { CryographError, failure } from "./errors.js";
import { packageOver } from "./host.js";
import { nodeHost } from "./host_node.js";
import type { Model } from "./model.js";
import type { OutputFile } from "./output.js";
import { saveAll } from "./save.js";
import type { Progress, Report, What } from "./types.js";
import type { Pass } from "./worker_protocol.js";

/** What a command came to: the reports of its steps, and the exit status. */
export interface Result {
  reports: Report[];
  status: number;
}

const kDone = 0;
const kNo = 1;
const kCannot = 3;
const { open } = packageOver(nodeHost);

/** Opens, carries out the verb, writes what there is to write. */
export async function run(line: CommandLine): Promise<Result> {
  const { verb, path } = line;
  const reports: Report[] = [];
  try {
    using model = await open(path, line.options).catch((error: unknown) => {
      throw under(error, { verb, model: path });
    });
    return { reports, status: await carryOut(line, model, reports) };
  } catch (error) {
    const failed = asError(error);
    reports.push(failed.report ?? { verb, model: path, diagnostics: failed.diagnostics });
    return { reports, status: failed.status };
  }
}

async function carryOut({ verb, options }: CommandLine, model: Model, reports: Report[]): Promise<number> {
  switch (verb) {
    case "inspect":
      reports.push(model.inspect(options));
      return kDone;
    case "list":
      reports.push(model.list(options["what"] as What, options));
      return kDone;
    case "validate": {
      const report = await model.validate(options);
      reports.push(report);
      return report.valid && (report.sound || !options["strict"]) ? kDone : kNo;
    }
    default: {
      using made = await model[verb as Pass](options);
      reports.push(made.report);
      const files = await made.write(options);
      await put(files, options);
      reports.push(files.report);
      return kDone;
    }
  }
}

// From here on Ctrl-C leaves nothing behind; before, there is nothing yet.
async function put(files: readonly OutputFile[], options: CommandLine["options"]): Promise<void> {
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
