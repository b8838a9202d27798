import { parseArgs, type ParseArgsConfig } from "node:util";
import type { CommandTable } from "./core.js";

/** What the command line asks for. */
export interface CommandLine {
  verb: string;
  path: string;
  /** By their camelCase names; with WHAT of `list` among them. */
  options: Record<string, string | boolean | string[]>;
}

/** The command line is wrong: exit status 2. */
export class UsageError extends Error {}

type Verb = CommandTable["verbs"][number];
type Option = CommandTable["options"][number];

/** Reads the arguments by the core's table. `cryograph PATH` is `cryograph inspect PATH`. */
export function parseCommandLine(argv: readonly string[], table: CommandTable): CommandLine {
  const { values, positionals, tokens } = parse(argv, table);
  const named = table.verbs.find(({ name }) => name === positionals[0]);
  if (named) positionals.shift();
  const verb = named ?? table.verbs.find(({ name }) => name === "inspect")!;
  for (const token of tokens) if (token.kind === "option") checkOption(token.rawName, verb, table);
  const options: CommandLine["options"] = {};
  for (const option of table.options) {
    const value = values[longName(option)];
    if (value !== undefined) options[option.key] = value as CommandLine["options"][string];
  }
  if (verb.writes && options["out"] === undefined) throw new UsageError(`${verb.name}: -o OUT is missing`);
  checkCount(verb, positionals);
  if (positionals[1] !== undefined) options["what"] = positionals[1];
  return { verb: verb.name, path: positionals[0]!, options };
}

function checkCount({ name, positional }: Verb, found: readonly string[]): void {
  if (found.length < positional.length) throw new UsageError(`${name}: ${positional[found.length]} is missing`);
  if (found.length > positional.length) throw new UsageError(`${name}: unexpected argument ${found[positional.length]}`);
}

function checkOption(rawName: string, verb: Verb, table: CommandTable): void {
  const option = table.options.find(({ name }) => name === rawName);
  if (!option) throw new UsageError(`there is no option ${rawName}`);
  if (!option.verbs.includes(verb.name)) throw new UsageError(`${verb.name} has no option ${rawName}`);
}

function parse(argv: readonly string[], table: CommandTable) {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const option of table.options) {
    const type = option.value === null ? "boolean" : "string";
    options[longName(option)] = { type, multiple: option.list, ...(isShort(option) ? { short: option.name[1]! } : {}) };
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\. .*/, ""));  // without advice on "--"
  }
}

// parseArgs wants a long name also for what has a letter alone, "-o".
function longName(option: Option): string {
  return isShort(option) ? option.key : option.name.slice(2);
}

function isShort({ name }: Option): boolean {
  return !name.startsWith("--");
}
