// The contract with wasm/command.cc: what is of command lines and terminals alone, the same as in the native program.
import { readFile } from "node:fs/promises";
import createCommand from "cryograph-command";
import { failure } from "../base/errors.js";
import type { Report } from "../types/types.js";

/** A command line, as the native program reads it. */
export interface CommandLine {
  verb: string;
  paths: string[];
  /** The paths of the other models, of verbs that take several at once. */
  others: string[];
  /** help: a verb, or ""; completion: a shell. */
  subject: string;
  /** The verb that may be meant if the only word is not a file; "" for none. */
  nearVerb: string;
  /** The file that is made is printed, and the report goes to standard error. */
  toStandardOutput: boolean;
  /** The options, by their camelCase names, including the kind of `list`. */
  options: Record<string, string | boolean | string[]>;
}

/** How results are printed: these options count whatever else is wrong with the command line. */
export interface Printing {
  json: boolean;
  quiet: boolean;
  verbose: boolean;
  github: boolean;
  color: "auto" | "always" | "never";
}

/** A command line that was read. `line` is null if only the version is requested, or if it is wrong: then there is a report. */
export interface ReadLine {
  line: CommandLine | null;
  version: boolean;
  printing: Printing;
  report?: Report;
}

/** How a report is printed for a person. `width`: columns of the terminal; 0: lines may have any length. */
export interface Look {
  quiet: boolean;
  verbose: boolean;
  color: boolean;
  width: number;
}

export interface CommandBinding {
  /** Returns a ReadLine as JSON. */
  commandLine(argv: readonly string[]): string;
  /** Returns the text of --help; for "" that of all verbs. */
  usage(verb: string, width: number): string;
  /** Returns a shell's completion script. */
  completion(shell: string): string;
  /** Returns a report as a person reads it on a terminal. */
  text(reportJson: string, look: Look): string;
  /** Returns the line that precedes the texts of one of several models. */
  heading(path: string, look: Look): string;
  /** Returns the diagnostics of a report; text() leaves them out. `path`: the model among several, else "". */
  diagnostics(reportJson: string, look: Look, path: string): string;
  /** The same as annotations of GitHub Actions. */
  annotations(reportJson: string, look: Look, path: string): string;
  /** Returns a line of progress. Units: bytes, seconds, columns. */
  progress(doing: string, done: number, total: number, seconds: number, width: number): string;
  /** Returns one report of several about one model, as --json prints it. */
  merge(reportsJson: string): string;
}

/** Loads command.wasm, which is next to the module. */
export async function loadCommand(): Promise<CommandBinding> {
  try {
    const wasmBinary = await readFile(new URL("command.wasm", import.meta.url));
    return await createCommand({ wasmBinary, print() {}, printErr() {} });
  } catch (error) {
    throw failure("core-not-loaded", `command.wasm could not be loaded: ${String(error)}`, "", error);
  }
}
