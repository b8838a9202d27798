import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { PassReport, RepairReport } from "../engine/engine.js";
import { diagnosticList } from "../findings/diagnostics.js";
import type { Step } from "../state/state.js";
import { fold, type Go } from "../ui/fold.js";
import { counted } from "../ui/format.js";
import { verifySection } from "../verify/section.js";
import { sizeOf } from "../words/files.js";
import { made, matches, place, sentence } from "../words/words.js";
import { downloads } from "./downloads.js";
import { convertedTable, isTransfer, lostTables, outcomeTables } from "./outcome_table.js";
import { totals } from "./totals.js";

const kMaxRepairs = 200;

/** The result of a pass: the files, before and after, conversions and findings. */
export function resultCard(app: App, step: Step) {
  const { pass, report, forms, remarks } = step.made!;
  const go = (node: string, body = "") => void app.browse.goToNode(node, body);
  return html`
    <section class="columns result-card" aria-labelledby="result-title">
      <div class="column">
        <h3 class="result-title" id="result-title" tabindex="-1">${tick}${made(pass, report as PassReport)}</h3>
        ${downloads(app, forms)}
        ${diagnosticList([...report.diagnostics, ...remarks], go)}
      </div>
      <div class="column">
        ${pass === "repair" ? repairs(report as RepairReport, go) : changes(app, step, report as PassReport, go)}
      </div>
      ${/* a transfer is meant to change the values */ pass === "transfer" ? nothing : html`<div class="column">${verifySection(app, step)}</div>`}
    </section>`;
}

const tick = html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8.5l3.2 3.2L13 4.8" /></svg>`;

function repairs({ repaired }: RepairReport, go: (node: string, body?: string) => void) {
  return html`
    <ul class="repairs">${repaired.slice(0, kMaxRepairs).map(
      ({ code, where, what }) => html`
      <li><p>${sentence(what)}</p><p class="where">${where.node ? html`<button type="button" class="node-link" @click=${() => go(where.node!, where.function)}>${place({ where })}</button>` : place({ where })} <code>${code}</code></p></li>`,
    )}</ul>`;
}

// Nodes that were removed are nodes of the previous step.
function changes(app: App, step: Step, report: PassReport, go: Go) {
  const { steps } = app.state;
  const before = steps[steps.findIndex(({ id }) => id === step.id) - 1]!;
  return html`
    ${totals(report, { before: sizeOf(before), after: sizeOf(step), estimated: false })}
    ${fold(`${counted(report.removed.length, "node")} removed`, report.removed)}
    ${lostTables(report, go)} ${convertedTable(report, go)}
    ${isTransfer(report) ? html`<p class="small">${matches(report)}</p> ${outcomeTables(report, go)}` : nothing}`;
}
