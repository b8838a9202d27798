import { html, nothing } from "lit";
import { diagnosticList } from "./diagnostics.js";
import type { Endpoint, InspectReport } from "./engine.js";
import { baseName, bytes, count, counted, shape } from "./format.js";
import type { Step } from "./state.js";
import { kKinds, kWords, producer, recognised } from "./words.js";

const kMostOps = 8;
const kMostInputs = 12;

/** What a model is, in words: recognised as what and why, what it holds, what is missing. */
export function modelCard({ about, model, title }: Step) {
  return html`
    <section class="card model-card" aria-labelledby="model-title">
      <p class="kicker">${title}</p>
      <h2 id="model-title" tabindex="-1">${baseName(about.model || about.files[0]?.path || kWords.nameless)}</h2>
      <p class="lead">${recognised(about)}</p>
      ${diagnosticList([...model.report.diagnostics.filter(() => title === kWords.opened), ...about.diagnostics])}
      ${facts(about)} ${missing(about)}
      <div class="two">
        ${endpoints(kWords.inputs, about.inputs)} ${fileList(about)}
      </div>
    </section>`;
}

function facts(about: InspectReport) {
  const { variables, constants } = about;
  const rows: [string, unknown, unknown][] = [
    ["Kind", kKinds[about.kind], about.tags.join(", ")],
    ["TensorFlow", producer(about), ""],
    ["Nodes", count(about.nodes), about.functions ? counted(about.functions, "function") : ops(about)],
    ["Variables", count(variables.count), variables.count
      ? `${bytes(variables.bytes)}${variables.trainable ? `, ${count(variables.trainable)} trainable` : ""}` : ""],
    ["Constants", count(constants.count), constants.count ? bytes(constants.bytes) : ""],
    ["Size", bytes(about.bytes), ""],
  ];
  return html`
    <dl class="facts">
      ${rows.map(([name, value, more]) => html`
        <div><dt>${name}</dt><dd>${value}${more ? html`<span>${more}</span>` : nothing}</dd></div>`)}
    </dl>`;
}

function ops({ ops: histogram }: InspectReport): string {
  const sorted = Object.entries(histogram).sort(([, a], [, b]) => b - a);
  const named = sorted.slice(0, kMostOps).map(([op, times]) => `${op} ${times}`).join(", ");
  return sorted.length > kMostOps ? `${named} and ${counted(sorted.length - kMostOps, "more op", "more ops")}` : named;
}

function missing({ variables: { missing: names } }: InspectReport) {
  if (names.length === 0) return nothing;
  return html`
    <details class="fold">
      <summary>${counted(names.length, "variable")} without a value</summary>
      <ul class="names">${names.map((name) => html`<li><code>${name}</code></li>`)}</ul>
    </details>`;
}

function endpoints(title: string, list: readonly Endpoint[]) {
  if (list.length === 0) return nothing;
  return html`
    <div>
      <h3>${title}</h3>
      <ul class="tensors">${list.slice(0, kMostInputs).map((each) => html`<li>${tensor(each)}</li>`)}</ul>
    </div>`;
}

/** A tensor: its name, type and shape, and why it is shown. */
export function tensor({ name, dtype, shape: size, why }: Endpoint) {
  return html`
    <span class="tensor">
      <code>${name}</code> <span class="type">${dtype ?? "unknown type"} ${shape(size)}</span>
      <span class="why">${why}</span>
    </span>`;
}

function fileList({ files }: InspectReport) {
  if (files.length === 0) return nothing;
  return html`
    <div>
      <h3>${kWords.files}</h3>
      <ul class="files">
        ${files.map(({ path, bytes: size }) => html`<li><code>${baseName(path)}</code><span>${bytes(size)}</span></li>`)}
      </ul>
    </div>`;
}
