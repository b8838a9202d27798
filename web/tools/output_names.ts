import type { InspectReport } from "../../wasm/package/entries/page.js";
import { kPasses, type Pass } from "../state/surface.js";

/**
 * Returns the outputs that a pass's model is written to, as the option `out`. A model that still has variables with
 * values is written as a graph with its checkpoint; a pruned one also as the graph alone. A repaired, edited or salvaged
 * SavedModel remains one, and an edited graph with signatures, which a .pb does not hold, becomes one. Both the page and
 * its worker, which writes them, compute these.
 */
export function outputNames(pass: Pass, { weights, kind, signatures }: InspectReport, name: string): string[] {
  const { suffix, keepsFormat } = kPasses[pass];
  const marked = `${name}${suffix}`;
  if (keepsFormat && kind === "saved-model") return [`${marked}/`];
  if (weights !== "checkpoint") {
    if (pass === "edit" && Object.keys(signatures).length > 0) return [`${marked}/`];
    return [pass === "unfreeze" ? `${marked}.ckpt` : `${marked}.pb`];
  }
  return pass === "prune" ? [`${marked}.ckpt`, `${marked}.pb`] : [`${marked}.ckpt`];
}
