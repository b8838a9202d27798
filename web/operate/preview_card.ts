import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import type { PassReport, TransferReport } from "../app/engine.js";
import type { Pass, Preview, Step, Tool } from "../app/state.js";
import { diagnosticList } from "../look/diagnostics.js";
import { counted, count } from "../words/format.js";
import { kVerbs, kWords } from "../words/words.js";
import { totals } from "./totals.js";

const kMostNames = 200;

/** The result that a tool would have, before it is applied; and the button that applies it. */
export function previewCard(app: App, step: Step, tool: Pass & Tool) {
  const { busy, other } = app.state;
  const last = app.preview.last(step, tool);
  const waits = tool === "transfer" && !other;
  const current = last?.key === app.previewKey(step, tool) && !last.running;
  return html`
    <div class="preview" aria-busy=${!current && !waits && !app.preview.isDear(step, tool)}>
      <div class="preview-head">
        <h3>${last?.refused ? kWords.wouldRefuse : kWords.wouldBe}</h3>
        <button type="button" class="button primary apply" ?disabled=${busy !== null || waits} @click=${() => app.apply()}>${kVerbs[tool].label}</button>
      </div>
      ${waits ? html`<p class="muted small">${kWords.needsOther}</p>` : told(app, last)}
      ${
        current || waits || !app.preview.isDear(step, tool)
          ? nothing
          : html`
        <button type="button" class="button small" @click=${() => app.preview.follow(true)}>${kWords.tryIt}</button>`
      }
    </div>`;
}

function told(app: App, preview: Preview | null) {
  const report = preview?.report;
  const go = (node: string) => void app.look.at(node);
  if (report)
    return html`${totals(report)} ${gone(report, go)} ${fates(report as TransferReport)} ${diagnosticList(report.diagnostics)}`;
  if (preview?.refused) return diagnosticList(preview.refused);
  return preview?.running ? html`<p class="muted small trying">${kWords.trying}</p>` : nothing;
}

function gone({ removed, converted }: PassReport, go: Go) {
  return html`
    ${fold(`${counted(removed.length, "node")} would go`, removed, go)}
    ${fold(
      `${counted(converted.length, "weight")} would be converted`,
      converted.map(({ name }) => name),
      go,
    )}`;
}

function fates({ matched, mismatched, unmatched, excluded, initial, unused }: TransferReport) {
  if (!matched) return nothing;
  const told = (list: TransferReport["matched"]) =>
    list.map(({ name, from, why }) => `${name}${from && from !== name ? ` from ${from}` : ""}: ${why}`);
  return html`
    ${fold(`${counted(matched.length, "variable")} would take a weight`, told(matched))}
    ${fold(`${count(mismatched.length)} do not fit`, told(mismatched))}
    ${fold(`${count(unmatched.length)} find none`, told(unmatched))}
    ${fold(`${count(excluded.length)} left out`, told(excluded))}
    ${fold(
      `${counted(initial.length, "variable")} would take the initial value`,
      initial.map(({ name, from }) => `${name}: ${from.join(", ")}`),
    )}
    ${fold(`${counted(unused.length, "weight")} would not be used`, unused)}`;
}

type Go = (node: string) => void;

/** Names below a line that counts them; nothing for none. With `go`, they are nodes of the model. */
export function fold(title: string, names: readonly string[], go?: Go) {
  if (names.length === 0) return nothing;
  return html`
    <details class="fold small">
      <summary>${title}</summary>
      <ul class="names">${names.slice(0, kMostNames).map((name) => html`<li>${go ? link(name, go) : html`<code>${name}</code>`}</li>`)}
        ${names.length > kMostNames ? html`<li class="muted">… and ${count(names.length - kMostNames)} more</li>` : nothing}</ul>
    </details>`;
}

function link(name: string, go: Go) {
  return html`<button type="button" class="node-link" @click=${() => go(name)}><code>${name}</code></button>`;
}
