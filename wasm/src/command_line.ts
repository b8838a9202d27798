import { parseArgs, type ParseArgsConfig } from "node:util";
import type { CommandTable } from "./core.js";

/** What the command line asks for. */
export interface CommandLine {
  verb: string;
  /** false: only a PATH was given, and `inspect` is meant. */
  verbGiven: boolean;
  positionals: string[];
  /** By their camelCase names; lists are split at commas. */
  options: Record<string, string | boolean | string[]>;
}

/** The command line is wrong: exit status 2. */
export class UsageError extends Error {}

type Option = CommandTable["options"][number];

/** Reads the arguments by the core's table. `cryograph PATH` is `cryograph inspect PATH`. */
export function parseCommandLine(argv: readonly string[], table: CommandTable): CommandLine {
  const { values, positionals } = parse(argv, table);
  const verbGiven = table.verbs.some(({ name }) => name === positionals[0]);
  const verb = verbGiven ? positionals.shift()! : "inspect";
  const options: CommandLine["options"] = {};
  for (const option of table.options) {
    const value = values[longName(option)];
    if (value !== undefined) options[option.key] = typed(value as string | boolean | string[]);
  }
  return { verb, verbGiven, positionals, options };
}

/** Throws where something is missing, too much, or belongs to another verb. */
export function checkCommandLine({ verb, positionals, options }: CommandLine, table: CommandTable): void {
  const { positional } = table.verbs.find(({ name }) => name === verb)!;
  if (positionals.length < positional.length) {
    throw new UsageError(`${verb}: ${positional[positionals.length]} is missing`);
  }
  if (positionals.length > positional.length) {
    throw new UsageError(`${verb}: unexpected argument ${positionals[positional.length]}`);
  }
  for (const option of table.options) {
    const applies = appliesTo(option, verb);
    if (option.key in options && !applies) throw new UsageError(`${verb} has no option ${option.name}`);
    if (option.required && applies && !(option.key in options)) {
      throw new UsageError(`${verb}: ${option.short ? `-${option.short}` : option.name} ${option.value} is missing`);
    }
  }
}

/** An empty list of verbs: all of them. */
export function appliesTo({ verbs }: Option, verb: string): boolean {
  return verbs.length === 0 || verbs.includes(verb);
}

function parse(argv: readonly string[], table: CommandTable) {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const option of table.options) {
    options[longName(option)] = {
      type: option.value === null ? "boolean" : "string",
      multiple: option.list,
      ...(option.short ? { short: option.short } : {}),
    };
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function longName({ name }: Option): string {
  return name.replace(/^--/, "");
}

function typed(value: string | boolean | string[]): string | boolean | string[] {
  return Array.isArray(value) ? value.flatMap((names) => names.split(",")) : value;
}
