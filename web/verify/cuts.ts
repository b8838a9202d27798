import type { FreezeOptions, Names } from "../engine/engine.js";
import type { PassResult, Options } from "../state/state.js";

type Ends = Pick<FreezeOptions, "inputs" | "outputs" | "set">;

/**
 * Returns the inputs and outputs for two models, so that both run from the same inputs to the same outputs: the earlier
 * model is cut as the steps between them cut it. An output that freezing renamed keeps its position in the list.
 */
export function cuts(between: readonly PassResult[]): { later: Ends; earlier: Ends } {
  let [later, earlier]: (readonly string[] | null)[] = [null, null];
  for (const { options, report } of [...between].reverse()) {
    const [asked, found] = [
      options["outputs"] as readonly string[] | undefined,
      "graphOutputs" in report ? report.graphOutputs : undefined,
    ];
    if (!asked || asked.length !== found?.length) continue;
    later ??= found;
    earlier = earlier ? earlier.map((name) => asked[found.indexOf(name)] ?? name) : asked;
  }
  const all = (key: string) => between.flatMap(({ options }) => listOf(options[key]));
  const [inputs, set] = [all("inputs"), all("set")];
  return {
    later: later ? { outputs: later } : {},
    earlier: {
      ...(earlier && { outputs: earlier }),
      ...(inputs.length > 0 && { inputs }),
      ...(set.length > 0 && { set }),
    },
  };
}

function listOf(names: Options[string] | undefined): readonly string[] {
  return typeof names === "string" ? names.split(",") : ((names as Exclude<Names, string> | undefined) ?? []);
}
