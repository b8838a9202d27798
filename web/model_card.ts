import { html, nothing } from "lit";
import { diagnosticList } from "./diagnostics.js";
import type { Endpoint, InspectReport } from "./engine.js";
import { baseName, bytes, count, counted, shape } from "./format.js";
import type { Step } from "./state.js";
import { kKinds, kWords, producer, recognised } from "./words.js";

const kMostOps = 8;
const kMostInputs = 12;

/** What a model is, in words: recognised as what and why, what it holds, what is missing. */
export function modelCard({ about, model, title, made }: Step) {
  const name = made?.forms[0]?.files[0]?.name ?? baseName(about.model || about.files[0]?.path || kWords.nameless);
  return html`
    <section class="card model-card" aria-labelledby="model-title">
      <p class="kicker">${title}</p>
      <h2 id="model-title" tabindex="-1">${name}</h2>
      <p class="lead">${recognised(about)}</p>
      ${diagnosticList([...(made ? [] : model.report.diagnostics), ...about.diagnostics])}
      ${facts(about)} ${ops(about)} ${missing(about)}
      <div class="two">
        ${endpoints(kWords.inputs, about.inputs)} ${fileList(about, made ? kWords.madeOf : kWords.files)}
      </div>
    </section>`;
}

function facts(about: InspectReport) {
  const { variables, constants } = about;
  const rows: [string, unknown, unknown][] = [
    ["Kind", kKinds[about.kind], about.tags.join(", ")],
    ["TensorFlow", producer(about), ""],
    ["Nodes", count(about.nodes), about.functions ? counted(about.functions, "function") : ""],
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

function ops({ ops: histogram }: InspectReport) {
  const sorted = Object.entries(histogram).sort(([, a], [, b]) => b - a);
  if (sorted.length === 0) return nothing;
  const rest = sorted.length - kMostOps;
  return html`
    <p class="ops"><span>${kWords.ops}</span>
      ${sorted.slice(0, kMostOps).map(([op, times]) => html`<span><code>${op}</code> ${count(times)}</span>`)}
      ${rest > 0 ? html`<span>and ${count(rest)} more</span>` : nothing}
    </p>`;
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

function fileList({ files }: InspectReport, title: string) {
  if (files.length === 0) return nothing;
  return html`
    <div>
      <h3>${title}</h3>
      <ul class="files">
        ${files.map(({ path, bytes: size }) => html`
          <li><code>${baseName(path)}</code><span>${bytes(size)}</span></li>`)}
      </ul>
    </div>`;
}
