// The page's texts about verify.
import type { ComparedTensor, VerifyReport } from "../../wasm/package/entries/page_later.js";
import type { Against } from "../state/verify.js";
import { count, counted } from "../ui/format.js";

export const kVerifyWords = {
  title: "Check numerical equivalence",
  about: "Runs both models on the same input with TensorFlow.js, in this tab, and compares every output.",
  runBoth: "Run both",
  runsOn: "Input:",
  random: "random",
  singleBool: "false (default for a single bool)",
  default: "its default",
  noInputs: "none",
  chooseFile: "Image or .npy",
  randomAgain: "Reset to random",
  defaultAgain: "Reset to default",
  seed: "Random seed",
  tolerance: "Tolerance",
  toleranceHint: "0 = bit-exact. Otherwise |a − b| ≤ tolerance × max(|a|, |b|, 1)",
  mean: "Mean",
  scale: "Scale",
  scaleHint: "(value − mean) × scale, for values of 0 to 255",
  ranges: "Range of image values",
  first: "First difference",
  firstAbout: "First node whose output differs while its inputs match.",
  uncovered: "Not executed",
  next: "Compare both in TensorFlow instead; this command writes a script for it:",
  command: "npx cryograph verify A B --script compare.py",
  missingOps: "Ops that TensorFlow.js does not support:",
  classes: "Top classes",
  largest: "Largest values",
  class: "class",
  labels: "Load labels…",
  labelsAbout: "One label per line",
};

/** The label of the button, and the result's name for the other model. */
export const kAgainst: Record<Against, { button: string; name: string }> = {
  before: { button: "Compare with previous step", name: "the previous step" },
  opened: { button: "Compare with source", name: "the source" },
  other: { button: kVerifyWords.runBoth, name: "the other model" },
};

/** The usual ranges of an image's values: the mean and the scale of each. */
export const kRanges: readonly (readonly [label: string, mean: number, scale: number])[] = [
  ["0 to 255", 0, 1],
  ["0 to 1", 0, 1 / 255],
  ["−1 to 1", 127.5, 1 / 127.5],
];

/** Explanations of the codes that verify raises, which the core does not know. */
export const kMeanings: Record<string, string> = {
  "set-in-one-model":
    "A placeholder was set to a constant in one of the two models; the other has no such placeholder.",
  "no-common-output": "The two models end in different nodes, and neither has the other's output nodes.",
  "other-inputs":
    "Two inputs of one name take different types or shapes, so that the models cannot run on the same values.",
  "no-such-input":
    "A value was given for an input that the frozen model does not have: it has another name there, or no output depends on it.",
  "bad-feed": "The array that was given does not have the type or the shape of the input.",
  "no-image-input": "An image becomes an array of rows, columns and 1, 3 or 4 channels; the input has another shape.",
  "bad-image": "The file is damaged, or of a format that this browser cannot decode.",
  "tensorflow-js-missing":
    "TensorFlow.js is a separate file of this page, loaded on first use. It could not be loaded.",
  "too-large-to-run": "Running models reads all weights of both into memory, along with the intermediate results.",
};

/** The verdict, and its color. "Equal" requires that every output ran. */
export function outcome({ verdict, outputs, uncovered }: VerifyReport): {
  title: string;
  tone: "good" | "fair" | "bad";
} {
  if (verdict === "different") return { title: "Different", tone: "bad" };
  if (verdict === "undecided")
    return {
      title: `Undecided: ${uncovered.length} of ${counted(outputs.length, "output")} not executed`,
      tone: "fair",
    };
  const exact = outputs.every(({ difference }) => difference === null);
  return {
    title: `Equal ${exact ? "bit for bit" : "within the tolerance"}: ${counted(outputs.length, "output")}`,
    tone: "good",
  };
}

/** The result of one output. */
export function compared({ verdict, why, difference, dtype, shape }: ComparedTensor): string {
  if (verdict === "undecided") return "not executed";
  if (difference === null) return `equal ${why}`;
  const { within, count: some, elements, otherDtype, otherShape } = difference;
  if (some === undefined) return `${dtype} [${shape}] → ${otherDtype ?? dtype} [${otherShape ?? shape}]`;
  return `${within ? "within tolerance" : "differs"}, ${count(some)} of ${count(elements ?? some)}`;
}
