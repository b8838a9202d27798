import type { Diagnostic } from "./types.js";

// Advice for those errors of the core whose own names options of the command line, by code.
const kAdvice: Readonly<Record<string, string>> = {
  "has-graph": 'take its weights first: (await model.weights()).write({ as: "npz" })',
  "not-a-placeholder": 'see model.list("inputs")',
  "not-frozen": 'freeze it first: (await model.freeze()).write({ as: "tfjs" })',
  "no-weights": "give the graph's checkpoint to open(), or name constants: { constants: [NAME] }",
  "unknown-form": 'name a format: write({ as: "pb" })',
};

/** Returns the core's diagnostics with advice in the terms of this API. Reports keep the core's own, which the command prints. */
export function inJavaScript(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map((each) => ({ ...each, fix: kAdvice[each.code] ?? each.fix }));
}
