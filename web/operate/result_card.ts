import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import type { PassReport, RepairReport } from "../app/engine.js";
import type { Step } from "../app/state.js";
import { diagnosticList } from "../look/diagnostics.js";
import { downloads } from "../save/downloads.js";
import { verifySection } from "../verify/section.js";
import { bytes, count, counted, shape } from "../words/format.js";
import { kWords, made, place, sentence } from "../words/words.js";
import { totals } from "./totals.js";

const kMostRows = 200;

/** The result of a pass: the files, before and after, conversions and findings. */
export function resultCard(app: App, step: Step) {
  const { pass, report, forms, remarks } = step.made!;
  return html`
    <section class="columns result-card" aria-labelledby="result-title">
      <div class="column">
        <h3 class="result-title" id="result-title" tabindex="-1">${tick}${made(pass, report as PassReport)}</h3>
        ${downloads(app, forms)}
        ${diagnosticList([...report.diagnostics, ...remarks])}
      </div>
      <div class="column">
        ${pass === "repair" ? repairs(report as RepairReport) : html`${totals(report as PassReport)} ${converted(report as PassReport)}`}
      </div>
      <div class="column">${verifySection(app, step)}</div>
    </section>`;
}

const tick = html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8.5l3.2 3.2L13 4.8" /></svg>`;

function repairs({ repaired }: RepairReport) {
  return html`
    <ul class="repairs">${repaired.slice(0, kMostRows).map(
      ({ code, where, what }) => html`
      <li><p>${sentence(what)}</p><p class="where">${place({ where })} <code>${code}</code></p></li>`,
    )}</ul>`;
}

function converted({ converted: list }: PassReport) {
  if (list.length === 0) return nothing;
  const rest = list.length - kMostRows;
  return html`
    <details class="fold">
      <summary>${counted(list.length, "weight")} converted</summary>
      <div class="scroll" tabindex="0" role="group" aria-label="${kWords.result}: weights converted">
        <table class="converted">
          <thead><tr><th scope="col">Name</th><th scope="col">From</th><th scope="col">To</th>
            <th scope="col">Type</th><th scope="col">Size</th></tr></thead>
          <tbody>
            ${list.slice(0, kMostRows).map(
              (each) => html`
              <tr><td><code>${each.name}</code></td><td>${each.from}</td><td>${each.to}</td>
                <td>${each.dtype} ${shape(each.shape)}</td><td>${bytes(each.bytes)}</td></tr>`,
            )}
          </tbody>
        </table>
        ${rest > 0 ? html`<p class="muted">… and ${count(rest)} more</p>` : nothing}
      </div>
    </details>`;
}
