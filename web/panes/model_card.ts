import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Endpoint, InspectReport, WeightInfo } from "../engine/engine.js";
import { diagnosticList } from "../findings/diagnostics.js";
import { isNotInSlot, missingSlot } from "../open/missing_slot.js";
import type { Step } from "../state/state.js";
import { fold } from "../ui/fold.js";
import { bytes, count, counted } from "../ui/format.js";
import "../ui/tree.js";
import type { Amount, Branch } from "../ui/tree.js";
import { formatOf, sizeOf, tagsOf } from "../words/files.js";
import { baseName, shape } from "../words/format.js";
import { isWeightsAlone, kWords, producer, recognized, verdict } from "../words/words.js";
import { filterInput } from "./filter_input.js";
import { scopesOfNodes, scopesOfWeights, type Scope } from "./scopes.js";
import { contentsOf, matching } from "./tables.js";

const kMaxOps = 8;
const kMaxInputs = 12;

/**
 * The summary of a model, in words: its format and how it was recognized, its contents, missing parts; and its scopes.
 */
export function modelPane(app: App, step: Step) {
  const { about, model, title, made } = step;
  const name = made?.forms[0]?.files[0]?.name ?? baseName(about.model || about.files[0]?.path || kWords.nameless);
  return html`
    <section class="pane model" data-pane="model" aria-labelledby="model-title">
      <div class="model-card" ?data-judging=${app.validation.isPending(step)}>
        <p class="kicker">${title}</p>
        <h2 id="model-title" tabindex="-1">${name.split(/(?=[._-])/).map((part) => html`<wbr>${part}`)}</h2>
        <p class="lead">${recognized(about)}</p>
        ${refusal(app, step)} ${missingSlot(app, step)}
        ${diagnosticList([...(made ? [] : model.report.diagnostics), ...about.diagnostics].filter(isNotInSlot), (node, body) => void app.browse.goToNode(node, body))}
        ${facts(step)}
        ${fold(`${counted(about.variables.missing.length, "variable")} without a value`, about.variables.missing)}
        ${endpoints(app, kWords.inputs, about.inputs)} ${endpoints(app, kWords.outputs, about.outputs.slice(0, 3))}
        ${outline(app, step)} ${ops(app, about)} ${fileList(about, made ? kWords.madeOf : kWords.files)}
      </div>
    </section>`;
}

function refusal(app: App, { verdict: report }: Step) {
  if (!report || report.valid) return nothing;
  const errors = report.diagnostics.filter(({ severity }) => severity === "error").length;
  return html`
    <p class="refusal small"><strong>${verdict(report)}.</strong> ${counted(errors, "error")}.
      <button type="button" class="link" @click=${() => app.choices.showVerdict()}>${kWords.seeWhy}</button></p>`;
}

// Weights alone have no graph to describe.
function facts(step: Step) {
  const { about } = step;
  const { variables, constants } = about;
  const ofGraph: [string, unknown, unknown][] = [
    ["TensorFlow", producer(about), ""],
    ["Nodes", count(about.nodes), about.functions ? counted(about.functions, "function") : ""],
  ];
  const rows: [string, unknown, unknown][] = [
    ["Format", formatOf(step), tagsOf(step).join(", ")],
    ...(isWeightsAlone(about) ? [] : ofGraph),
    ["Size", bytes(sizeOf(step)), ""],
    [
      "Variables",
      count(variables.count),
      variables.count
        ? `${bytes(variables.bytes)}${variables.trainable ? `, ${count(variables.trainable)} trainable` : ""}`
        : "",
    ],
    ...(isWeightsAlone(about)
      ? []
      : [
          ["Constants", count(constants.count), constants.count ? bytes(constants.bytes) : ""] as [
            string,
            unknown,
            unknown,
          ],
        ]),
  ];
  return html`
    <dl class="facts">
      ${rows.map(
        ([name, value, more]) => html`
        <div><dt>${name}</dt><dd>${value}${more ? html`<span>${more}</span>` : nothing}</dd></div>`,
      )}
    </dl>`;
}

function ops(app: App, { ops: histogram }: InspectReport) {
  const sorted = Object.entries(histogram).sort(([, a], [, b]) => b - a);
  if (sorted.length === 0) return nothing;
  const rest = sorted.length - kMaxOps;
  return html`
    <div class="ops"><h3>${kWords.ops}</h3>
      <ul>${sorted.slice(0, kMaxOps).map(
        ([op, times]) => html`
        <li><button type="button" class="chip" @click=${() => app.browse.listNodesOfOp(op)}><code>${op}</code> ${count(times)}</button></li>`,
      )}
        ${rest > 0 ? html`<li class="muted small">and ${count(rest)} more</li>` : nothing}</ul>
    </div>`;
}

function endpoints(app: App, title: string, list: readonly Endpoint[]) {
  if (list.length === 0) return nothing;
  const show = (name: string) => {
    app.set({ pane: "inspector" });
    void app.browse.showMainNode(name.replace(/:\d+$/, ""));
  };
  return html`
    <h3>${title}</h3>
    <ul class="tensors">${list.slice(0, kMaxInputs).map(
      (each) => html`
      <li><button type="button" class="neighbour" @click=${() => show(each.name)}><code>${each.name}</code>
        <span class="muted">${each.dtype ?? "unknown type"} ${shape(each.shape)}</span></button></li>`,
    )}</ul>`;
}

function fileList({ files }: InspectReport, title: string) {
  if (files.length === 0) return nothing;
  return html`
    <h3>${title}</h3>
    <ul class="files">
      ${files.map(({ path, bytes: size }) => html`<li><code>${baseName(path)}</code><span>${bytes(size)}</span></li>`)}
    </ul>`;
}

const kMaxUnfolded = 300;
const roots = new WeakMap<readonly unknown[], Scope>();

function outline(app: App, step: Step) {
  const { browse, view } = app.state;
  const contents = contentsOf(step, isWeightsAlone(step.about) ? "weights" : "nodes", "");
  if (!contents.rows?.length) return nothing;
  const rows = matching(step, contents, browse.filter);
  if (!roots.has(rows)) roots.set(rows, scopesOf(step, rows));
  const root = roots.get(rows)!;
  if (!browse.filter && root.children.length === 0) return nothing;
  return html`
    <div class="outline">
      <h3>${kWords.scopes}</h3>
      <div class="filter">
        ${filterInput(app, "outline-filter", kWords.searchScopes, () => document.querySelector<HTMLElement>('tree-view [tabindex="0"]')?.focus())}
        ${browse.filter ? html`<span class="muted small" aria-live=${browse.table === "picture" ? "polite" : "off"}>${count(rows.length)} found</span>` : nothing}
      </div>
      <tree-view .root=${root} .label=${kWords.scopes} .amountOf=${amountIn(root)} .unfolded=${browse.filter !== "" && rows.length <= kMaxUnfolded}
        .chosen=${browse.table === "picture" ? view.chosen : browse.scope} @choose=${({ detail }: CustomEvent<string>) => app.browse.showScope(detail)}></tree-view>
    </div>`;
}

function scopesOf({ about, lists }: Step, rows: readonly unknown[]): Scope {
  return isWeightsAlone(about)
    ? scopesOfWeights(rows as readonly WeightInfo[])
    : scopesOfNodes(lists["nodes"]!.nodes!, rows as readonly number[]);
}

const amounts = new WeakMap<Scope, (branch: Branch) => Amount>();

// The bytes of a scope, or its nodes if it has none: the same function for the same tree.
function amountIn(root: Scope) {
  const amount = (branch: Branch) => {
    const { bytes: size, nodes } = branch as Scope;
    return { text: size > 0 ? bytes(size) : counted(nodes, "node"), share: root.bytes > 0 ? size / root.bytes : 0 };
  };
  if (!amounts.has(root)) amounts.set(root, amount);
  return amounts.get(root)!;
}
