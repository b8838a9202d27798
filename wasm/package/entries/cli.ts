#!/usr/bin/env node
// The npm package's command: the native program's verbs, options, reports, bytes and exit statuses, over WebAssembly.
import { asError, run } from "../command/command.js";
import { loadCommand, type ReadLine } from "../command/command_binding.js";
import { Printer } from "../command/printer.js";
import { helpWidth } from "../command/terminal.js";
import { type CryographError, systemWords } from "../base/errors.js";

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
  const binding = await loadCommand();
  const { line, version, printing, report } = JSON.parse(binding.commandLine(argv)) as ReadLine;
  if (version) return show(`cryograph ${CRYOGRAPH_VERSION}\n`);
  const printer = new Printer(binding, line, printing);
  if (!line) printer.add("", { reports: [report!], status: kWrong });
  else if (line.verb === "help") return show(binding.usage(line.subject, helpWidth()), argv.length ? kDone : kWrong);
  else if (line.verb === "completion") return show(binding.completion(line.subject));
  // Without a path there is one run all the same: of serve, and of --explain.
  else
    for (const path of line.paths.length ? line.paths : [""])
      printer.add(path, await run(binding, line, path, printing));
  return printer.finish();
}

function show(text: string, status = kDone): number {
  process.stdout.write(text);
  return status;
}

// Prints an error when command.wasm, which words reports, could not be loaded, or was lost.
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
