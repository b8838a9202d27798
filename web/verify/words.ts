// What the page says of verify.
import type { ComparedTensor, VerifyReport } from "../../wasm/src/verify/types.js";
import { count, counted } from "../format.js";
import type { Against } from "./state.js";

export const kVerifyWords = {
  title: "Does it compute the same?",
  about: "TensorFlow.js runs both models on the same input, in this tab, and every output is compared.",
  doing: "Running both models",
  failed: "The two could not be compared by running them",
  runBoth: "Run both",
  runsOn: "Runs on",
  random: "random numbers",
  default: "its default",
  noInputs: "nothing: there is no input",
  chooseFile: "Image or .npy",
  randomAgain: "Random again",
  defaultAgain: "Its default again",
  readingFile: "Reading the file",
  badFile: "This cannot be an input's value",
  seed: "Seed of the random numbers",
  tolerance: "Tolerance",
  toleranceHint: "0 is bit for bit; else |a − b| may be so much times the larger, or 1",
  mean: "Mean",
  scale: "Scale",
  scaleHint: "Each value of 0 to 255 becomes (value − mean) × scale",
  ranges: "Range of an image's values",
  first: "First difference",
  firstAbout: "Its values differ, while those it is made from are the same.",
  uncovered: "Not covered",
  missingOps: "Ops that TensorFlow.js does not have:",
  classes: "Top classes",
  largest: "Largest values",
  class: "class",
  labels: "Names of classes",
};

/** What the button says, and what the result calls the other model. */
export const kAgainst: Record<Against, { button: string; name: string }> = {
  before: { button: "Verify against the model before", name: "the model before" },
  opened: { button: "Verify against the opened model", name: "the opened model" },
  other: { button: kVerifyWords.runBoth, name: "the other model" },
};

/** What is usual for an image's values: the mean and the scale that make it. */
export const kRanges: readonly (readonly [label: string, mean: number, scale: number])[] = [
  ["0 to 255", 0, 1], ["0 to 1", 0, 1 / 255], ["−1 to 1", 127.5, 1 / 127.5],
];

/** The verdict, and how it is to be taken. */
export function outcome({ equal, outputs, uncovered }: VerifyReport): { title: string; tone: "good" | "fair" | "bad" } {
  if (!equal) return { title: "They differ", tone: "bad" };
  const exact = outputs.every(({ difference }) => difference === null);
  const how = exact ? "bit for bit" : "within the tolerance";
  if (uncovered.length > 0) return { title: `Equal ${how}, as far as they could be run`, tone: "fair" };
  return { title: `Equal ${how}: ${counted(outputs.length, "output")}`, tone: "good" };
}

/** Of one output. */
export function compared({ difference, dtype, shape }: ComparedTensor): string {
  if (difference === null) return "equal bit for bit";
  const { within, count: some, elements, otherDtype, otherShape } = difference;
  if (some === undefined) return `${dtype} [${shape}], there ${otherDtype ?? dtype} [${otherShape ?? shape}]`;
  return `${within ? "within tolerance" : "differs"}, ${count(some)} of ${count(elements ?? some)}`;
}
