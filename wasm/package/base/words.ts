// A diagnostic's texts in the words of a host. The core words them for the command line; where a text refers to what hosts
// call by different names, `parts` has it as data.
import { kApiWords, kCommandWords, kListOptions, kOptionNames, type Reference } from "../types/references.js";
import type { Parts, TextPart } from "../types/types.js";

/** Texts that may refer to an option, a list, or what to do. */
export interface Worded {
  message?: string;
  fix?: string;
  cut?: string;
  parts?: Parts;
}

/** The words of a host for a reference. */
export type Words = (reference: Reference) => string;

/** Returns a text of parts in a host's words. */
export function worded(parts: readonly TextPart[], words: Words): string {
  return parts.map((part) => (typeof part === "string" ? part : words(part))).join("");
}

/** Returns the same with its texts in a host's words. */
export function inWords<T extends Worded>(texts: T, words: Words): T {
  if (!texts.parts) return texts;
  const { message, fix, cut } = texts.parts;
  return {
    ...texts,
    ...(message && { message: worded(message, words) }),
    ...(fix && { fix: worded(fix, words) }),
    ...(cut && { cut: worded(cut, words) }),
  };
}

/** Returns a template with the arguments of a reference: "see {list}". */
export function filled(template: string, reference: Reference): string {
  const given: Readonly<Record<string, string>> = { ...reference };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? "");
}

/** The words of this API: { outputs: ["NAME"] } */
export function apiWords(reference: Reference): string {
  if (reference.action !== "option" && reference.action !== "set")
    return filled(kApiWords[reference.action], reference);
  const { action, option, value } = reference;
  if (value === "") return action === "set" ? `{ ${option}: true }` : option;
  // A list may be one text: the core splits it.
  const text = JSON.stringify(value);
  return `{ ${option}: ${kListOptions.includes(option) && !value.includes(",") ? `[${text}]` : text} }`;
}

/** The words of the npm package's command: --outputs NAME */
export function commandWords(reference: Reference): string {
  if (reference.action !== "option" && reference.action !== "set")
    return filled(kCommandWords[reference.action], reference);
  return `${kOptionNames[reference.option]} ${reference.value}`.trim();
}
