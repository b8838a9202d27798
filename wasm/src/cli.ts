#!/usr/bin/env node
// The npm package's command: the native program's verbs, options, reports, bytes and exit statuses, over WebAssembly.
import { run, type Result } from "./command.js";
import { parseCommandLine, UsageError } from "./command_line.js";
import type { CommandTable, Core } from "./core.js";
import { nodeHost } from "./host_node.js";
import { jsonOf } from "./model.js";

declare const CRYOGRAPH_VERSION: string;  // the bundler's

const kDone = 0;
const kWrong = 2;

// A reader that has seen enough ("| head") is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? kDone : 3));
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes("--version")) {
    process.stdout.write(`cryograph ${CRYOGRAPH_VERSION}\n`);
    return kDone;
  }
  const core = await nodeHost.loader.get();
  if (argv.length === 0 || argv.includes("--help")) {
    process.stdout.write(core.call((binding) => binding.usage(argv[0] ?? "")));
    return argv.length === 0 ? kWrong : kDone;
  }
  try {
    const table = JSON.parse(core.call((binding) => binding.commands())) as CommandTable;
    const line = parseCommandLine(argv, table);
    return show(core, await run(line), line.options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return show(core, { reports: [usageReport(error)], status: kWrong }, { json: argv.includes("--json") });
  }
}

// Results to standard output, diagnostics to standard error.
function show(core: Core, { reports, status }: Result, options: Record<string, unknown>): number {
  const report = core.call((binding) => binding.merge(`[${reports.map(jsonOf).join()}]`));
  if (options["json"]) {
    process.stdout.write(`${report}\n`);
    return status;
  }
  const json = core.options(options);
  process.stderr.write(core.call((binding) => binding.diagnostics(report, json)));
  if (status < kWrong) process.stdout.write(core.call((binding) => binding.text(report, json)));
  return status;
}

function usageReport({ message }: UsageError): Result["reports"][number] {
  const severity = "error" as const;
  const diagnostic = { severity, code: "usage", where: {}, message, fix: "see cryograph --help", fixable: false };
  return { verb: "", model: "", diagnostics: [diagnostic] };
}
