import { html, nothing } from "lit";
import { actionsCard } from "./actions.js";
import type { App } from "./app.js";
import { diagnosticList } from "./diagnostics.js";
import { dropVeil, emptyView, openButtons } from "./drop_zone.js";
import { bytes } from "./format.js";
import { modelCard } from "./model_card.js";
import { outputPicker } from "./output_picker.js";
import { resultCard, verdictCard } from "./result_card.js";
import { saveCard } from "./save_card.js";
import type { Busy, Failure } from "./state.js";
import { stepList } from "./steps.js";
import { kWords } from "./words.js";

/** The whole page. */
export function view(app: App) {
  const { busy, failure, dragging, said } = app.state;
  return html`
    <header class="bar">
      <p class="brand">${logo} ${kWords.name}</p>
      ${app.step ? openButtons(app, false) : nothing}
      <details class="promise">
        <summary>${lock} ${kWords.promise}</summary>
        <p>${kWords.promiseMore}</p>
      </details>
    </header>
    <main class=${app.step ? "loaded" : ""} aria-busy=${busy !== null}>
      ${failure ? failureCard(app, failure) : nothing}
      ${app.step ? loaded(app) : emptyView(app)}
    </main>
    ${busy ? progress(app, busy) : nothing}
    <p class="visually-hidden" role="status">${said}</p>
    ${dragging ? dropVeil : nothing}`;
}

function loaded(app: App) {
  const step = app.step!;
  return html`
    <h1 class="visually-hidden">${kWords.name}</h1>
    <div class="column">
      ${step.made ? resultCard(step.made) : nothing}
      ${step.verdict ? verdictCard(step.verdict) : nothing}
      ${modelCard(step)}
      ${step.about.kind === "checkpoint" ? nothing : outputPicker(app, step)}
    </div>
    <div class="rail">${actionsCard(app, step)} ${saveCard(app, step)} ${stepList(app)}</div>`;
}

function failureCard(app: App, { title, diagnostics }: Failure) {
  return html`
    <section class="card failure" aria-labelledby="failure-title">
      <h2 id="failure-title" tabindex="-1">${title}</h2>
      ${diagnosticList(diagnostics)}
      <p class="failure-end"><span class="muted">${app.step ? kWords.stillHere : ""}</span>
        <button type="button" class="button" @click=${() => app.dismiss()}>${kWords.dismiss}</button></p>
    </section>`;
}

function progress(app: App, { doing, bytes: read }: Busy) {
  return html`
    <div class="working">
      <progress aria-label=${doing}></progress>
      <p><strong>${doing}</strong> <span class="muted">${read > 0 ? `${bytes(read)} read` : ""}</span></p>
      <button type="button" class="button" @click=${() => app.cancel()}>${kWords.cancel}</button>
    </div>`;
}

const logo = html`
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M16 3v26M4.7 9.5l22.6 13M27.3 9.5l-22.6 13" />
    <path d="M16 8.5l-3-2.6M16 8.5l3-2.6M16 23.5l-3 2.6M16 23.5l3 2.6" /><circle cx="16" cy="16" r="3.4" />
  </svg>`;

const lock = html`
  <svg class="lock" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M4 7V5a4 4 0 0 1 8 0v2" /><rect x="2.5" y="7" width="11" height="7" rx="1.6" />
  </svg>`;
