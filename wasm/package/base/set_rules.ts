import { failure } from "./errors.js";
import type { SetValues } from "../types/types.js";

/**
 * Returns the option `set` as the core reads it, a list of "NAME=VALUE". Lists in values are written "[2,6]". undefined
 * if it is not given. Fails with "bad-option" if it is neither a record nor such a list.
 */
export function setRules(set: SetValues | undefined): string[] | undefined {
  if (set === undefined) return undefined;
  const rules: unknown[] =
    typeof set === "string"
      ? splitRules(set)
      : Array.isArray(set)
        ? set.flatMap((each) => (typeof each === "string" ? splitRules(each) : [each]))
        : isRecord(set)
          ? Object.entries(set).map(([name, value]) => `${name}=${textOf(name, value)}`)
          : [set];
  const wrong = rules.find((rule) => typeof rule !== "string");
  if (wrong === undefined) return rules as string[];
  throw failure(
    "bad-option",
    `the option 'set' takes a record of values by name, or a list of "NAME=VALUE"; found ${JSON.stringify(wrong)}`,
    "set: { is_training: false }",
    undefined,
    2,
  );
}

/** Splits "a=1,b=[2,6]" at its commas, but for those within brackets. */
export function splitRules(text: string): string[] {
  return text.match(/(?:=\[[^=]*\](?=,|$)|[^,])+/g) ?? [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textOf(name: string, value: unknown): string {
  const isScalar = ["boolean", "number", "bigint", "string"].includes(typeof value);
  if (isScalar || Array.isArray(value))
    return Array.isArray(value) ? `[${value.map((each) => textOf(name, each)).join()}]` : String(value);
  throw failure(
    "bad-option",
    `the option 'set' takes a boolean, a number, a text or a list of these for '${name}'; found ${JSON.stringify(value)}`,
    `set: { ${JSON.stringify(name)}: false }`,
    undefined,
    2,
  );
}
