import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { diagnosticList } from "../findings/diagnostics.js";
import { isNotInSlot } from "../open/missing_slot.js";
import type { Pass, Preview, Step, Tool } from "../state/state.js";
import { secondOf } from "../state/tabs.js";
import { fold } from "../ui/fold.js";
import { counted } from "../ui/format.js";
import { isIncomplete, optionsOf, secondOption } from "../tools/options.js";
import { sizeOf } from "../words/files.js";
import { cannot, kVerbs, kWords, matches } from "../words/words.js";
import { convertedTable, isTransfer, outcomeTables } from "./outcome_table.js";
import { totals } from "./totals.js";

/**
 * The result that a tool would have, before it is applied; below it the button that applies it. The button stays where it is while
 * the result comes: a press that ends elsewhere would be lost.
 */
export function previewCard(app: App, step: Step, tool: Pass & Tool) {
  const { busy } = app.state;
  const last = app.preview.last(step, tool);
  const waits = isIncomplete(tool, step, secondOf(app.state));
  const current = last?.key === app.preview.keyOf(step, tool) && !last.running;
  return html`
    <div class="preview" aria-busy=${!current && !waits && !app.preview.isExpensive(step, tool)}>
      <div class="preview-body">
        <h3>${last?.refused ? cannot(tool) : kWords.wouldBe}</h3>
        ${waits ? html`<p class="muted small">${waitsFor(tool, step)}</p>` : outcome(app, step, last)}
        ${
          current || waits || !app.preview.isExpensive(step, tool)
            ? nothing
            : html`
          <button type="button" class="button small" @click=${() => app.preview.update(true)}>${kWords.tryIt}</button>`
        }
      </div>
      <button type="button" class="button primary apply" ?disabled=${busy !== null || waits} @click=${() => app.verbs.apply()}>${kVerbs[tool].label}</button>
    </div>`;
}

function waitsFor(tool: Pass & Tool, step: Step): string {
  if (secondOption(tool, optionsOf(tool, step)) === null) return kWords.needsEdit;
  return tool === "edit" ? kWords.needsSecond : kWords.needsOther;
}

function outcome(app: App, step: Step, preview: Preview | null) {
  if (!preview?.report && !preview?.refused)
    return preview?.running ? html`<p class="muted small trying">${kWords.trying}</p>` : nothing;
  const { report, refused } = preview;
  const go = (node: string) => void app.browse.goToNode(node);
  return html`
    ${refused ? diagnosticList(refused, (node, body) => void app.browse.goToNode(node, body)) : nothing}
    ${report && !refused ? html`${totals(report, { before: sizeOf(step), after: report.after.bytes, estimated: true })} ${fold(`${counted(report.removed.length, "node")} removed`, report.removed, go)}` : nothing}
    ${report && !refused ? convertedTable(report, preview.tool === "unfreeze" ? undefined : go) : nothing}
    ${report && isTransfer(report) ? html`<p class="small">${matches(report)}</p> ${outcomeTables(report, go)}` : nothing}
    ${report && !refused ? diagnosticList(report.diagnostics.filter(isNotInSlot)) : nothing}`;
}
