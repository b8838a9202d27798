import { html, nothing } from "lit";
import { diagnosticList } from "./diagnostics.js";
import { downloads } from "./downloads.js";
import type { Integer, PassReport, ValidateReport } from "./engine.js";
import { bytes, count, counted, shape } from "./format.js";
import type { Made } from "./state.js";
import { kWords, made, verdict } from "./words.js";

const kMostRows = 200;

/** What a pass came to: before and after, what was converted, what is worth knowing, and the files. */
export function resultCard({ pass, report, forms, remarks }: Made) {
  return html`
    <section class="card result-card" aria-labelledby="result-title">
      <p class="kicker good">Done</p>
      <h2 id="result-title" tabindex="-1">${made(pass, report)}</h2>
      ${totals(report)} ${downloads(forms)}
      ${diagnosticList([...report.diagnostics, ...remarks])}
      ${converted(report)}
    </section>`;
}

function totals({ before, after }: PassReport) {
  const rows: [string, Integer, Integer, (value: Integer) => string][] = [
    ["Nodes", before.nodes, after.nodes, count],
    ["Variables", before.variables, after.variables, count],
    ["Constants", before.constants, after.constants, count],
    ["Size", before.bytes, after.bytes, bytes],
  ];
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="${kWords.before}, ${kWords.after}">
      <table class="totals">
        <thead><tr><td></td><th scope="col">${kWords.before}</th><th scope="col">${kWords.after}</th>
          <th scope="col">${kWords.change}</th></tr></thead>
        <tbody>
          ${rows.map(([name, old, now, show]) => html`
            <tr><th scope="row">${name}</th>
              <td>${show(old)}</td><td>${show(now)}</td><td>${difference(old, now)}</td></tr>`)}
        </tbody>
      </table>
    </div>`;
}

function difference(old: Integer, now: Integer): string {
  const change = Number(now) - Number(old);
  if (change === 0) return "same";
  if (Number(old) === 0) return `+${count(change)}`;
  const percent = Math.abs(change / Number(old)) * 100;
  return `${change < 0 ? "−" : "+"}${percent < 1 ? "<1" : Math.round(percent)} %`;
}

function converted({ converted: list }: PassReport) {
  if (list.length === 0) return nothing;
  const rest = list.length - kMostRows;
  return html`
    <details class="fold">
      <summary>${counted(list.length, "weight")} converted</summary>
      <div class="scroll" tabindex="0" role="group" aria-label="Converted">
        <table class="converted">
          <thead><tr><th scope="col">Name</th><th scope="col">From</th><th scope="col">To</th>
            <th scope="col">Type</th><th scope="col">Size</th></tr></thead>
          <tbody>
            ${list.slice(0, kMostRows).map((each) => html`
              <tr><td><code>${each.name}</code></td><td>${each.from}</td><td>${each.to}</td>
                <td>${each.dtype} ${shape(each.shape)}</td><td>${bytes(each.bytes)}</td></tr>`)}
          </tbody>
        </table>
        ${rest > 0 ? html`<p class="muted">… and ${count(rest)} more</p>` : nothing}
      </div>
    </details>`;
}

/** What validate came to. */
export function verdictCard(report: ValidateReport) {
  const { valid, sound, diagnostics } = report;
  return html`
    <section class="card verdict-card" aria-labelledby="verdict-title">
      <p class="kicker ${valid ? (sound ? "good" : "fair") : "bad"}">Validate</p>
      <h2 id="verdict-title" tabindex="-1">${verdict(report)}</h2>
      ${diagnosticList(diagnostics)}
    </section>`;
}
