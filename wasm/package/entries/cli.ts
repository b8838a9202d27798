#!/usr/bin/env node
// The npm package's command: the native program's verbs, options, reports, bytes and exit statuses, over WebAssembly.
import { asError, type CommandLine, type Result, run } from "../command/command.js";
import type { Core } from "../host/core.js";
import { type CryographError, systemWords } from "../api/errors.js";
import { nodeHost } from "../host/host_node.js";
import { jsonOf } from "../api/model.js";
import type { Report } from "../api/types.js";

declare const CRYOGRAPH_VERSION: string; // the bundler's

const kDone = 0;
const kWrong = 2;
const kCannot = 3;

// A reader that closes early ("| head") is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(kDone);
  process.stderr.write(`error: cannot write to standard output: ${systemWords(error)} [write-failed]\n`);
  process.exit(kCannot);
});
const words = process.argv.slice(2);
void main(words)
  .catch((error: unknown) => showWithoutCore(asError(error), words))
  .then((status) => {
    process.exitCode = status;
  });

async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes("--version")) {
    process.stdout.write(`cryograph ${CRYOGRAPH_VERSION}\n`);
    return kDone;
  }
  const core = await nodeHost.loader.get();
  if (argv.length === 0 || argv.includes("--help")) {
    process.stdout.write(core.call((binding) => binding.usage(argv[0] ?? "", helpWidth())));
    return argv.length === 0 ? kWrong : kDone;
  }
  const { line, report, status } = core.call((binding) => binding.commandLine(argv));
  if (line === null) return show(core, { reports: [JSON.parse(report) as Report], status }, argv);
  const result = await run(JSON.parse(line) as CommandLine);
  return show(await nodeHost.loader.get(), result, argv); // the core may have run out of memory: then this is another
}

// Returns the columns of the terminal, up to a readable width; 80 for files and pipes.
function helpWidth(): number {
  return Math.min(process.stdout.columns ?? 80, 100);
}

// Prints results to standard output, diagnostics to standard error. Output flags are honored even if the rest of the
// command line is invalid.
function show(core: Core, { reports, status }: Result, argv: readonly string[]): number {
  const report = core.call((binding) => binding.merge(`[${reports.map(jsonOf).join()}]`));
  if (argv.includes("--json")) {
    process.stdout.write(`${report}\n`);
    return status;
  }
  const json = JSON.stringify({ quiet: argv.includes("--quiet"), verbose: argv.includes("--verbose") });
  process.stderr.write(core.call((binding) => binding.diagnostics(report, json)));
  const isAnswer = status < kWrong || reports.some(({ verdict }) => verdict !== undefined);
  if (isAnswer) process.stdout.write(core.call((binding) => binding.text(report, json)));
  return status;
}

// Prints an error when the core, which words reports, could not be loaded, or was lost while it did.
function showWithoutCore({ diagnostics }: CryographError, argv: readonly string[]): number {
  const fix = "install the package cryograph again, or use the native program";
  if (argv.includes("--json"))
    process.stdout.write(
      `${JSON.stringify({ verb: "", model: "", diagnostics: diagnostics.map((each) => ({ ...each, fix })) })}\n`,
    );
  else
    for (const { message, code } of diagnostics) process.stderr.write(`error: ${message} [${code}]\n  fix: ${fix}\n`);
  return kCannot;
}
