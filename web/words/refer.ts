// Texts of the core and the package in the page's words: its labels of options, its tables, its buttons.
import { filled, inWords, type Reference, type Worded } from "../../wasm/package/entries/page.js";
import { kOptionLabels, kPageWords } from "./references.js";
import { kTableWords, kVerbs } from "./words.js";

const kLabels: Readonly<Record<string, string>> = kOptionLabels;
// The page has the inputs in its table of nodes.
const kTables: Readonly<Record<string, string>> = { ...kTableWords, inputs: kTableWords.nodes };
const kButtons: Readonly<Record<string, { label: string }>> = { ...kVerbs, weights: kVerbs.save };

/** The page's words for a reference: “Cut at new inputs”: auto */
export function pageWords(reference: Reference): string {
  switch (reference.action) {
    case "option":
      return label(reference.option);
    case "set":
      return reference.value ? `${label(reference.option)}: ${reference.value}` : label(reference.option);
    case "list":
      return filled(kPageWords.list, { ...reference, list: kTables[reference.list]!.toLowerCase() });
    case "run":
      return filled(kPageWords.run, { ...reference, verb: kButtons[reference.verb]!.label });
    default:
      return filled(kPageWords[reference.action], reference);
  }
}

/** Returns a diagnostic with its texts in the page's words. */
export function inPageWords<T extends Worded>(texts: T): T {
  return inWords(texts, pageWords);
}

function label(option: string): string {
  return `“${kLabels[option]}”`;
}
