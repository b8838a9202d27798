import { failure } from "./errors.js";
import type { SetValues } from "../types/types.js";

/** The options that take a record of values by name. */
export const kValueOptions = ["set", "placeholder", "constant", "connect"];

/**
 * Returns one of these options as the core reads it, a list of "NAME=VALUE". Lists in values are written "[2,6]".
 * undefined if it is not given. Fails with "bad-option" if it is neither a record nor such a list.
 */
export function setRules(set: SetValues | undefined, option = "set"): string[] | undefined {
  if (set === undefined) return undefined;
  const rules: unknown[] =
    typeof set === "string"
      ? splitRules(set)
      : Array.isArray(set)
        ? set.flatMap((each) => (typeof each === "string" ? splitRules(each) : [each]))
        : isRecord(set)
          ? Object.entries(set).map(([name, value]) => `${name}=${textOf(option, name, value)}`)
          : [set];
  const wrong = rules.find((rule) => typeof rule !== "string");
  if (wrong === undefined) return rules as string[];
  throw failure(
    "bad-option",
    `the option '${option}' takes a record of values by name, or a list of "NAME=VALUE"; found ${JSON.stringify(wrong)}`,
    option === "set" ? "set: { is_training: false }" : `${option}: { x: [1, 8] }`,
    undefined,
    2,
  );
}

/** Splits "a=1,b=[2,6]" at its commas, but for those within brackets. */
export function splitRules(text: string): string[] {
  return text.match(/(?:=\w*\[[^=]*\](?=,|$)|[^,])+/g) ?? [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textOf(option: string, name: string, value: unknown): string {
  const isScalar = ["boolean", "number", "bigint", "string"].includes(typeof value);
  if (isScalar || Array.isArray(value))
    return Array.isArray(value) ? `[${value.map((each) => textOf(option, name, each)).join()}]` : String(value);
  throw failure(
    "bad-option",
    `the option '${option}' takes a boolean, a number, a text or a list of these for '${name}'; found ${JSON.stringify(value)}`,
    `${option}: { ${JSON.stringify(name)}: 1 }`,
    undefined,
    2,
  );
}
