import { failure } from "../base/errors.js";
import type { Feed, Literal } from "./types.js";

export function isLiteral(value: unknown): value is Literal {
  return Array.isArray(value) || ["number", "boolean", "string"].includes(typeof value);
}

/** Parses a literal: a number, true, false or a list of these, as JSON; undefined for any other text. */
export function literalOf(text: string): Literal | undefined {
  if (!/^(\[.*\]|true|false|-?\d.*)$/s.test(text)) return undefined;
  try {
    return JSON.parse(text) as Literal;
  } catch {
    return undefined;
  }
}

/** Returns the array that a literal is, for an input of this name and type. Fails with "bad-feed" when it is not one. */
export function feedOf(literal: Literal, { name, dtype }: { name: string; dtype: string }): Feed {
  const shape = shapeOf(literal);
  const data = elements(literal);
  if (data.length !== shape.reduce((all, size) => all * size, 1) || !isEven(literal, shape)) {
    throw failure("bad-feed", `the value of '${name}' has rows of different lengths`, "give rows of equal length");
  }
  const wrong = data.find((element) => !isOfType(element, dtype));
  if (wrong === undefined) return { shape, data: data as (number | string)[] };
  const wanted = dtype === "bool" ? "true or false" : dtype === "string" ? "a text" : "a number";
  throw failure("bad-feed", `the input '${name}' is ${dtype}; found ${JSON.stringify(wrong)}`, `give ${wanted}`);
}

function shapeOf(literal: Literal): number[] {
  const shape: number[] = [];
  for (let at: Literal | undefined = literal; Array.isArray(at); at = at[0] as Literal | undefined)
    shape.push(at.length);
  return shape;
}

function isEven(literal: Literal, [size, ...inner]: readonly number[]): boolean {
  if (!Array.isArray(literal)) return size === undefined;
  return literal.length === size && literal.every((each: Literal) => isEven(each, inner));
}

function elements(literal: Literal): (number | boolean | string)[] {
  return Array.isArray(literal) ? literal.flatMap(elements) : [literal as number | boolean | string];
}

function isOfType(element: unknown, dtype: string): boolean {
  if (dtype === "string") return typeof element === "string";
  if (dtype === "bool") return typeof element === "boolean" || element === 0 || element === 1;
  return typeof element === "number";
}
