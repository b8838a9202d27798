import type { Options, RecipeStep } from "../state/state.js";
import { labelOf, secondOption } from "../tools/options.js";
import { kPasses } from "../state/surface.js";
import { kVerbs } from "../words/words.js";
import { hashPart, hashText, hashValue, joinedHash } from "./hash.js";

const kUnknown = "OTHER"; // a second model that nobody chose yet

/** "--outputs a,b --drop-checks": options as the command line spells them. */
function flags(options: Options): string {
  return Object.entries(options)
    .map(([key, value]) => {
      const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      if (value === true) return ` ${name}`;
      return ` ${name} ${quoted(typeof value === "string" ? value : (value as readonly string[]).join())}`;
    })
    .join("");
}

// Quotes a text for a shell if necessary.
function quoted(text: string): string {
  return /^[\w./:,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns true if a step takes a second model, which no recipe holds. */
export function takesSecond({ verb, options }: RecipeStep): boolean {
  return secondOption(verb, options) !== null;
}

/** Describes a step: "Freeze (Outputs to keep: probabilities)". */
export function described({ verb, options }: RecipeStep): string {
  const all = Object.entries(options).map(([key, value]) =>
    value === true
      ? labelOf(key)
      : `${labelOf(key)}: ${typeof value === "string" ? value : (value as readonly string[]).join(", ")}`,
  );
  return `${kVerbs[verb].label}${all.length > 0 ? ` (${all.join("; ")})` : ""}`;
}

/** Returns the steps as commands: `model` is the first one's, `name` the beginning of outputs' names. */
export function commandLines(steps: readonly RecipeStep[], model: string, other: string, name: string): string {
  let from = model;
  return steps
    .map(({ verb, options }, i) => {
      const last = i === steps.length - 1;
      const to =
        verb === "freeze" && !("variables" in options || "keepVariables" in options)
          ? `${name}${last ? "" : `.${i + 1}`}.pb`
          : `${name}${last ? ".new" : `.${i + 1}`}.ckpt`;
      const second = quoted(other || kUnknown);
      const start =
        verb === "transfer"
          ? `transfer --from ${second} --into ${quoted(from)}`
          : verb === "repair"
            ? `validate ${quoted(from)} --fix`
            : `${verb} ${quoted(from)}${secondOption(verb, options) ? ` --join ${second}` : ""}`;
      from = to.endsWith(".ckpt") ? `${to}.meta` : to;
      return `cryograph ${start}${flags(options)} -o ${quoted(to)}`;
    })
    .join("\n");
}

/** The same in JavaScript. */
export function script(steps: readonly RecipeStep[], model: string, other: string): string {
  const how = steps[0]?.options["salvage"] ? ", { salvage: true }" : "";
  const lines = ['import { open } from "cryograph";', "", `let model = await open(${JSON.stringify(model)}${how});`];
  for (const { verb, options } of steps) {
    const members = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const second = secondOption(verb, options);
    if (second) members.unshift(`${second}: await open(${JSON.stringify(other || kUnknown)})`);
    lines.push(`model = await model.${verb}(${members.length ? `{ ${members.join(", ")} }` : ""});`);
  }
  lines.push("for (const file of await model.write()) await file.save();");
  return lines.join("\n");
}

/** A link to the page that holds the steps and the view of the page's own address, and no data. */
export function recipeLink(steps: readonly RecipeStep[], page: string): string {
  const [address = "", hash = ""] = page.split("#");
  return address + joinedHash({ recipe: hashText(steps), view: hashPart(hash, "view") });
}

/** Returns the steps of such a link's hash; empty if it has no recipe, or an invalid one. */
export function readRecipe(hash: string): RecipeStep[] {
  const steps = hashValue(hash, "recipe");
  return Array.isArray(steps) && steps.every(isStep) ? steps : [];
}

function isStep(step: unknown): step is RecipeStep {
  const { verb, options } = (step ?? {}) as Partial<RecipeStep>;
  return typeof verb === "string" && Object.hasOwn(kPasses, verb) && typeof options === "object" && options !== null;
}
