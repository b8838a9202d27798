import { html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { App } from "../actions/app.js";
import { otherSlot } from "../open/other_slot.js";
import type { Step, Tool } from "../state/state.js";
import { toolsOf } from "../tools/options.js";
import { tabs } from "../ui/tabs.js";
import { kVerbs, kWords } from "../words/words.js";
import { comparePanel } from "./compare_panel.js";
import { joinPanel } from "./join_panel.js";
import { optionFields, suggestedOption } from "./option_fields.js";
import { outputPicker } from "./output_picker.js";
import { previewCard } from "./preview_card.js";
import { resultCard } from "./result_card.js";
import { savePanel } from "./save_panel.js";
import { validatePanel } from "./validate_panel.js";
import { weightPicker } from "./weight_picker.js";

/** The tools: each with its options, a preview, and a button that applies it. A new tool is scrolled to its top. */
export function operatePane(app: App, step: Step) {
  const { tool, result } = app.state;
  const all = toolsOf(step.about).map((name) => ({ name: name as string, label: kVerbs[name].label }));
  const chosen = result && step.made ? "result" : tool;
  if (step.made) all.unshift({ name: "result", label: kWords.result });
  const choose = (name: string) => (name === "result" ? app.set({ result: true }) : app.choices.useTool(name as Tool));
  return html`
    <section class="pane operate" data-pane="operate" aria-labelledby="operate-title">
      <h2 id="operate-title" class="visually-hidden" tabindex="-1">${kWords.operate}</h2>
      <div class="pane-head">${tabs("tool", kWords.operate, all, chosen, choose)}</div>
      ${keyed(
        chosen,
        html`
        <div class="tool" id="tool-panel" role="tabpanel" aria-labelledby="tool-${chosen}" tabindex="-1">
          ${chosen === "result" ? resultCard(app, step) : panel(app, step, tool)}
        </div>`,
      )}
    </section>`;
}

function panel(app: App, step: Step, tool: Tool) {
  if (tool === "validate") return validatePanel(app, step);
  if (tool === "diff") return comparePanel(app, step);
  if (tool === "save") return savePanel(app, step);
  return html`
    <div class="columns">
      <div class="column">
        <p class="about">${kVerbs[tool].about}</p>
        ${suggestedOption(app, step, tool)}
        ${tool === "transfer" ? otherSlot(app, kWords.from) : nothing}
        ${tool === "freeze" || tool === "prune" ? outputPicker(app, step) : nothing}
        ${tool === "unfreeze" ? weightPicker(app, step) : nothing}
      </div>
      <div class="column">${optionFields(app, step, tool)} ${tool === "edit" ? joinPanel(app, step) : nothing}</div>
      <div class="column stays">${previewCard(app, step, tool)}</div>
    </div>`;
}
