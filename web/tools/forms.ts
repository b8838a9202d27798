import type { InspectReport } from "../engine/engine.js";
import { isWeightsAlone, kForms, type FormName } from "../words/words.js";

/** Returns true for a model whose weights can be saved alone. */
export function hasArrays({ weights }: InspectReport): boolean {
  return weights === "checkpoint" || weights === "constants";
}

/** The formats that a model can be saved in: TensorFlow.js takes one without variables, a checkpoint one with them. */
export function formsOf(about: InspectReport): FormName[] {
  const { variables } = about;
  const names = Object.keys(kForms) as FormName[];
  return names.filter((name) => {
    const form = kForms[name];
    if (form.arrays) return hasArrays(about);
    const suits = form.variables === "any" || (form.variables === "some") === variables.count > 0;
    return suits && !isWeightsAlone(about);
  });
}
