import type { Reference, Worded } from "../../wasm/package/entries/page.js";

/** Returns the references for an action among what diagnostics advise to do. */
export function advised<A extends Reference["action"]>(
  diagnostics: readonly Worded[],
  action: A,
): Extract<Reference, { action: A }>[] {
  const parts = diagnostics.flatMap((each) => each.parts?.fix ?? []);
  const is = (part: string | Reference): part is Extract<Reference, { action: A }> =>
    typeof part !== "string" && part.action === action;
  return parts.filter(is);
}
