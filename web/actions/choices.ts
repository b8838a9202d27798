import type { TextPart } from "../engine/engine.js";
import type { Choice, Tool } from "../state/state.js";
import { flipped, inputNames } from "../tools/options.js";
import { withPlaceholderType } from "../tools/placeholders.js";
import type { App } from "./app.js";

/** Chooses a tool, and the options and names that it is applied with. */
export class ChoiceActions {
  constructor(private readonly app: App) {}

  useTool(tool: Tool): void {
    this.app.set({ tool, suggested: false, result: false, pane: "operate" });
  }

  /** Shows the verdict that is there already. */
  showVerdict(): void {
    this.useTool("validate");
    this.app.focusOn("#verdict-title");
  }

  change(choice: Partial<Choice>): void {
    const { step, state } = this.app;
    if (!step) return;
    this.app.changeStep(step.id, ({ choice: old }) => ({ choice: { ...old, ...choice } }));
    if (state.suggested) this.app.set({ suggested: false });
  }

  /** Keeps a node of the main graph as an output, or no longer. Shows a tool that does so. */
  toggleOutput(name: string): void {
    const { step, state } = this.app;
    if (!step || state.browse.body) return;
    this.change({ outputs: flipped(step.choice.outputs, name) });
    this.#showKeepingTool();
  }

  /** Uses a node of the main graph as an input of the kept graph, or no longer. Shows the tool that does so. */
  toggleInput(name: string): void {
    const { step } = this.app;
    if (!step) return;
    const inputs = inputNames(step.choice).filter((each) => each !== name);
    if (inputs.length === inputNames(step.choice).length) inputs.push(name);
    this.change({ texts: { ...step.choice.texts, inputs: inputs.join(", ") } });
    this.#showKeepingTool();
  }

  /** Sets the options that a fix names, and shows the tool to apply them. */
  takeFix(tool: Tool, parts: readonly TextPart[]): void {
    const { step } = this.app;
    if (!step) return;
    let { outputs } = step.choice;
    const texts = { ...step.choice.texts };
    const flags = new Set(step.choice.flags);
    for (const part of parts) {
      if (typeof part === "string" || (part.action !== "option" && part.action !== "set")) continue;
      if (!part.value) {
        flags.add(part.option);
      } else if (part.option === "outputs") {
        outputs = new Set();
        texts["more"] = part.value;
      } else {
        texts[part.option] = part.value;
      }
    }
    this.change({ outputs, texts, flags });
    this.useTool(tool);
  }

  // Inputs and outputs are for freeze and prune.
  #showKeepingTool(): void {
    const { tool, result } = this.app.state;
    if (result || (tool !== "freeze" && tool !== "prune")) this.app.set({ tool: "prune", result: false });
  }

  /** Edit: a placeholder of this model or of the second one takes a tensor of the other; empty: it remains an input. */
  feed(whose: keyof Choice["fed"], placeholder: string, tensor: string): void {
    const { step, state } = this.app;
    if (!step) return;
    const fed = new Map(Object.entries(step.choice.fed[whose]));
    if (tensor) fed.set(placeholder, tensor);
    else fed.delete(placeholder);
    this.change({ fed: { ...step.choice.fed, [whose]: Object.fromEntries(fed) } });
    if (state.result || state.tool !== "edit") this.app.set({ tool: "edit", result: false });
  }

  /** Gives a placeholder of the main graph another type and shape, with the tool Edit; null: its own again. */
  setPlaceholder(name: string, type: string | null): void {
    const { step, state } = this.app;
    if (!step) return;
    this.change({ texts: { ...step.choice.texts, placeholder: withPlaceholderType(step.choice, name, type) } });
    if (state.result || state.tool !== "edit") this.app.set({ tool: "edit", result: false });
  }
}
