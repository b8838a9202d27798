import type { VerifyReport } from "../../wasm/package/verify/types.js";
import type { Given } from "./given.js";

/** What a model is verified against: the one it was made from, the one that was opened, or the second one of the compare tool. */
export type Against = "before" | "opened" | "other";

/** What the models run on, and what counts as equal. The numbers as they are typed. */
export interface Run {
  seed: string;
  tolerance: string;
  mean: string;
  scale: string;
  /** By the names of inputs. */
  given: Readonly<Record<string, Given>>;
  labels: Labels | null;
}

/** Names of classes: line by line of a file. */
export interface Labels {
  name: string;
  lines: readonly string[];
}

/** What verify came to. */
export interface Verified {
  against: Against;
  report: VerifyReport;
  /** What they ran on, in words. */
  on: string;
  /** Found among the files that were opened. */
  labels: Labels | null;
}

export const kFirstRun: Run = { seed: "0", tolerance: "0", mean: "0", scale: "1", given: {}, labels: null };
