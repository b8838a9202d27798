import { basename, join } from "node:path";
import type { CommandLine } from "./command_line.js";
import { CryographError, failure } from "./errors.js";
import { packageOver } from "./host.js";
import { nodeHost } from "./host_node.js";
import type { Model } from "./model.js";
import type { OutputFile } from "./output.js";
import { commit, discard, exists, outputExists, stage, type Staged } from "./save.js";
import type { Report, What } from "./types.js";
import type { Pass } from "./worker_protocol.js";

/** What a command came to: the reports of its steps, and the exit status. */
export interface Result {
  reports: Report[];
  status: number;
}

const kNo = 1;
const kNotDone = 3;
const { open } = packageOver(nodeHost);

export async function run(line: CommandLine): Promise<Result> {
  const reports: Report[] = [];
  try {
    using model = await open(line.positionals[0]!, line.options);
    reports.push(model.report);
    return { reports, status: await carryOut(line, model, reports) };
  } catch (error) {
    reports.push(reportOf(error, line));
    return { reports, status: kNotDone };
  }
}

async function carryOut({ verb, positionals, options }: CommandLine, model: Model, reports: Report[]): Promise<number> {
  switch (verb) {
    case "inspect":
      reports.push(model.inspect(options));
      return 0;
    case "list":
      reports.push(model.list(positionals[1] as What, options));
      return 0;
    case "validate": {
      const report = await model.validate(options);
      reports.push(report);
      return report.valid && (report.sound || !options["strict"]) ? 0 : kNo;
    }
    default: {
      using made = await model[verb as Pass](options);
      reports.push(made.report, await writeOut(made, options));
      return 0;
    }
  }
}

// All files are whole before the first takes its place: an input may be the output.
async function writeOut(model: Model, options: CommandLine["options"]): Promise<Report> {
  const files = await model.write(options);
  const folder = folderOf(options["out"] as string);
  if (!options["force"]) await refuseExisting(files, folder);
  const staged: Staged[] = [];
  try {
    for (const file of files) staged.push(await stage(file, join(folder, file.path)));
    await commit(staged);
  } catch (error) {
    await discard(staged);
    throw error;
  }
  return files.report;
}

async function refuseExisting(files: readonly OutputFile[], folder: string): Promise<void> {
  for (const { path } of files) if (await exists(join(folder, path))) throw outputExists(join(folder, path));
}

function folderOf(out: string): string {
  return out.slice(0, out.lastIndexOf("/") + 1);
}

function reportOf(error: unknown, { verb, positionals }: CommandLine): Report {
  if (error instanceof CryographError && error.report) return error.report;
  const known = error instanceof CryographError ? error
    : failure("not-done", error instanceof Error ? error.message : String(error), "", error);
  return { verb, model: basename(positionals[0] ?? ""), diagnostics: known.diagnostics };
}
