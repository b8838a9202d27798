import type { Verifiable } from "../../wasm/src/verify/frozen_pair.js";
import type { VerifyOptions } from "../../wasm/src/verify/types.js";
import type { CallOptions, Endpoint, Files, FreezeOptions, Model, TensorInfo } from "../app/engine.js";
import type { State, Step } from "../app/state.js";
import { cuts } from "./cuts.js";
import { verify } from "./engine.js";
import { labelsAmong } from "./labels.js";
import type { Against, Run, Verified } from "./state.js";
import { kVerifyWords } from "./words.js";

/** The model that the one looked at is verified against; null where there is none. */
export function modelOf({ steps, at, other }: State, against: Against): Model | null {
  if (against === "other") return other?.model ?? null;
  return (against === "opened" ? steps[0] : steps[at - 1])?.model ?? null;
}

/** An input; one that is optional keeps its default, unless it is given something. */
export type RunInput = TensorInfo & Pick<Endpoint, "optional">;

/** The inputs as they were told last: freezing may name and leave out some. */
export function inputsOf({ verified, about: { inputs } }: Step): readonly RunInput[] {
  const ran = verified?.report.inputs;
  return ran ? [...ran, ...inputs.filter(({ name, optional }) => optional && !ran.some((input) => input.name === name))] : inputs;
}

/** What models run on, in words. */
export function onWhat(inputs: readonly RunInput[], { given, seed }: Run): string {
  const files = inputs.flatMap(({ name }) => given[name]?.name ?? []);
  const isRandom = inputs.some(({ name, optional }) => !given[name] && !optional);
  return [...files, ...(isRandom ? [`${kVerifyWords.random} of seed ${seed || 0}`] : [])].join("; ") || kVerifyWords.noInputs;
}

/** Runs both. `files`: those that were opened. */
export async function run(state: State, step: Step, theirs: Model, against: Against, files: Files, call: CallOptions): Promise<Verified> {
  const from = { before: state.at - 1, opened: 0, other: state.at }[against];
  const { later, earlier } = cuts(state.steps.slice(from + 1, state.at + 1).map(({ made }) => made!));
  const options = { ...optionsOf(state.run, step), ...later, ...call };
  const report = await verify(step.model as Verifiable, cut(theirs, earlier), options);
  return { against, report, on: onWhat(inputsOf(step), state.run), labels: await labelsAmong(files, report) };
}

function cut(model: Model, ends: FreezeOptions): Verifiable {
  return { report: model.report, freeze: (options) => model.freeze({ ...options, ...ends }) };
}

function optionsOf({ seed, tolerance, mean, scale, given }: Run, step: Step): VerifyOptions {
  const feed = Object.fromEntries(inputsOf(step).flatMap(({ name }) => (given[name] ? [[name, given[name].value]] : [])));
  return { feed, seed: numberOf(seed, 0), tolerance: numberOf(tolerance, 0), mean: numberOf(mean, 0), scale: numberOf(scale, 1) };
}

function numberOf(text: string, otherwise: number): number {
  return text.trim() === "" ? otherwise : Number(text);
}

