import type { FedInput, Verifiable, VerifyOptions } from "../../wasm/package/entries/page_later.js";
import type { CallOptions, Endpoint, Files, FreezeOptions, Model, TensorInfo } from "../engine/engine.js";
import type { State, Step } from "../state/state.js";
import type { Against, Run, Verified } from "../state/verify.js";
import { cuts } from "./cuts.js";
import { verify } from "./engine.js";
import { labelsAmong } from "./labels.js";
import { kVerifyWords } from "./words.js";

/** An input, and how its values were found when it was run last; an optional one keeps its default, unless it is given something. */
export type RunInput = TensorInfo &
  Pick<Endpoint, "optional"> &
  Partial<Pick<FedInput, "from" | "value" | "why" | "range">>;

/** The inputs of the last report: freezing may rename and remove some. */
export function inputsOf({ verified, about: { inputs } }: Step): readonly RunInput[] {
  const ran = verified?.report.inputs;
  return ran
    ? [...ran, ...inputs.filter(({ name, optional }) => optional && !ran.some((input) => input.name === name))]
    : inputs;
}

/** Describes the values of an input that was not given. */
export function ungiven({ dtype, shape, optional, from, value, why, range }: RunInput): string {
  if (from === "fixed") return `${value} (${why})`;
  if (optional) return kVerifyWords.default;
  if (shape?.length === 0 && dtype === "bool") return kVerifyWords.singleBool;
  return range ? `${kVerifyWords.random} ${range[0]} to ${range[1]} (${why})` : kVerifyWords.random;
}

/** The values that models run on, in words. */
export function onWhat(inputs: readonly RunInput[], { given, seed }: Run): string {
  const files = inputs.flatMap(({ name }) => given[name]?.name ?? []);
  const isRandom = inputs.some((input) => !given[input.name] && ungiven(input).startsWith(kVerifyWords.random));
  return (
    [...files, ...(isRandom ? [`${kVerifyWords.random} (seed ${seed || 0})`] : [])].join("; ") || kVerifyWords.noInputs
  );
}

/** Runs both. `files`: those that were opened. */
export async function run(
  state: State,
  step: Step,
  theirs: Model,
  against: Against,
  files: Files,
  call: CallOptions,
): Promise<Verified> {
  const from = { before: state.at - 1, opened: 0, other: state.at }[against];
  const { later, earlier } = cuts(state.steps.slice(from + 1, state.at + 1).map(({ made }) => made!));
  const options = { ...optionsOf(state.run, step), ...later, ...call };
  const report = await verify(step.model, cut(theirs, earlier), options);
  return { against, report, on: onWhat(report.inputs, state.run), labels: await labelsAmong(files, report) };
}

function cut(model: Model, ends: FreezeOptions): Verifiable {
  return { report: model.report, freeze: (options) => model.freeze({ ...options, ...ends }) };
}

function optionsOf({ seed, tolerance, mean, scale, given }: Run, step: Step): VerifyOptions {
  const feed = Object.fromEntries(
    inputsOf(step).flatMap(({ name }) => (given[name] ? [[name, given[name].value]] : [])),
  );
  return {
    feed,
    seed: numberOf(seed, 0),
    tolerance: numberOf(tolerance, 0),
    mean: numberOf(mean, 0),
    scale: numberOf(scale, 1),
  };
}

function numberOf(text: string, otherwise: number): number {
  return text.trim() === "" ? otherwise : Number(text);
}
