#!/usr/bin/env node
// The npm package's command: the native program's verbs, options, reports, bytes and exit statuses, over WebAssembly.
import { run, type Result } from "./command.js";
import { checkCommandLine, parseCommandLine, UsageError } from "./command_line.js";
import type { CommandTable, Core } from "./core.js";
import { nodeHost } from "./host_node.js";

const kWrong = 2;

// A reader that has seen enough ("| head") is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 3));
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const core = await nodeHost.loader.get();
  const table = JSON.parse(core.call((binding) => binding.commands())) as CommandTable;
  try {
    const line = parseCommandLine(argv, table);
    if (line.options["version"]) return say(`cryograph ${table.version}\n`);
    if (line.options["help"]) return say(core.call((binding) => binding.usage(line.verbGiven ? line.verb : "")));
    checkCommandLine(line, table);
    return show(core, await run(line), line.options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return wrong(core, error.message, argv.includes("--json"));
  }
}

// Results to standard output, diagnostics to standard error.
function show(core: Core, { reports, status }: Result, options: Record<string, unknown>): number {
  const optionsJson = core.options(options);
  const report = core.call((binding) => binding.merge(JSON.stringify(reports)));
  if (options["json"]) {
    say(`${report}\n`);
  } else {
    process.stderr.write(core.call((binding) => binding.diagnostics(report, optionsJson)));
    if (status < kWrong) say(core.call((binding) => binding.text(report, optionsJson)));
  }
  return status;
}

function wrong(core: Core, message: string, json: boolean): number {
  const diagnostic = { severity: "error", code: "usage", where: {}, message, fix: "see cryograph --help" } as const;
  const report = { verb: "", model: "", diagnostics: [{ ...diagnostic, fixable: false }] };
  return show(core, { reports: [report], status: kWrong }, { json });
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}
