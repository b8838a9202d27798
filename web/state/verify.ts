import type { Feed, Pixels, VerifyReport } from "../../wasm/package/entries/page_later.js";

/** The model to verify against: the previous step, the opened model, or the second one of the compare tool. */
export type Against = "before" | "opened" | "other";

/** The inputs of a run and its tolerance. Numbers are kept as typed. */
export interface Run {
  seed: string;
  tolerance: string;
  mean: string;
  scale: string;
  /** Values by the names of inputs. */
  given: Readonly<Record<string, Given>>;
  labels: Labels | null;
}

/** A file that a person gave for an input, and its contents. */
export interface Given {
  name: string;
  value: Feed | Pixels;
  /** The address of an image. */
  picture: string;
}

/** Names of classes: line by line of a file. */
export interface Labels {
  name: string;
  lines: readonly string[];
}

/** The result of verify. */
export interface Verified {
  against: Against;
  report: VerifyReport;
  /** The inputs of the run, in words. */
  on: string;
  /** Found among the files that were opened. */
  labels: Labels | null;
}

export const kFirstRun: Run = { seed: "0", tolerance: "0", mean: "0", scale: "1", given: {}, labels: null };
