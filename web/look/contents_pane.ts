import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import type { FunctionInfo, ListReport, NodeRow, WeightInfo } from "../app/engine.js";
import { kTables, nodeList, type Step, type Table } from "../app/state.js";
import { tabs } from "../shell/tabs.js";
import { count } from "../words/format.js";
import { isWeightsAlone, kTableWords, kWords } from "../words/words.js";
import "./data_table.js";
import type { Chosen } from "./data_table.js";
import { contentsOf, countOf, matching, type ArgumentRow, type Contents } from "./tables.js";

/** The contents of a model, in tables. */
export function contentsPane(app: App, step: Step) {
  const { table, filter, scope, body: inside } = app.state.looking;
  const contents = contentsOf(step, table, inside);
  const rows = matching(contents, filter, scope);
  return html`
    <section class="pane contents" data-pane="contents" aria-labelledby="contents-title">
      <h2 id="contents-title" class="visually-hidden" tabindex="-1">${kWords.contents}</h2>
      <div class="pane-head">
        ${tabs("table", kWords.contents, tablesOf(step).map((name) => tab(step, name)), table, (name) => app.look.show(name as Table))}
        ${filterField(app, contents.rows?.length ?? 0, rows.length)}
      </div>
      <div class="stage" id="table-panel" role="tabpanel" aria-labelledby="table-${table}">
        ${body(app, contents, step.lists[table === "nodes" ? nodeList(inside) : table], rows)}
      </div>
    </section>`;
}

// Weights alone have nothing else.
function tablesOf({ about }: Step): readonly Table[] {
  return isWeightsAlone(about) ? ["weights"] : kTables;
}

function tab(step: Step, name: Table) {
  const amount = countOf(step, name);
  return { name, label: html`${kTableWords[name]} <span class="amount">${amount === null ? "…" : count(amount)}</span>` };
}

function filterField(app: App, all: number, left: number) {
  const { filter, scope, body: inside, table } = app.state.looking;
  return html`
    <div class="filter">
      ${inside && table === "nodes" ? chip(kWords.inFunction, inside, () => app.look.enter("")) : nothing}
      ${scope ? chip(kWords.scopes, `${scope}/`, () => app.look.scope("")) : nothing}
      <input id="filter" type="search" placeholder=${kWords.filterHint} aria-label=${kWords.filter} spellcheck="false"
        autocapitalize="off" autocomplete="off" .value=${filter}
        @input=${({ target }: Event) => app.look.filter((target as HTMLInputElement).value)}>
      ${filter || scope ? html`<span class="muted small" aria-live="polite">${count(left)} of ${count(all)}</span>` : nothing}
    </div>`;
}

// A filter of the table, with a button that removes it.
function chip(what: string, name: string, away: () => void) {
  return html`
    <button type="button" class="chip" @click=${away} aria-label="${what}: ${name} ${kWords.dismiss}"><code>${name}</code><span aria-hidden="true">×</span></button>`;
}

function body(app: App, contents: Contents<unknown>, listed: ListReport | undefined, rows: readonly unknown[]) {
  if (!contents.rows) return html`<p class="empty-table muted">${listed ? listed.diagnostics[0]?.message : kWords.listing}</p>`;
  if (rows.length === 0) return html`<p class="empty-table muted">${contents.rows.length ? kWords.nothingMatches : kWords.nothingHere}</p>`;
  const { node, weight, table } = app.state.looking;
  return html`
    <data-table .rows=${rows} .columns=${contents.columns} .keyOf=${contents.key} .label=${kTableWords[table]}
      .chosen=${(table === "weights" ? weight?.name : node?.name) ?? ""}
      @choose=${(event: CustomEvent<Chosen<unknown>>) => choose(app, table, event.detail)}></data-table>`;
}

function choose(app: App, table: Table, { row, by }: Chosen<unknown>): void {
  if (table === "functions") {
    if (by !== "arrow") app.look.enter((row as FunctionInfo).name);
    return;
  }
  if (by !== "arrow") app.set({ pane: "inspector" });
  void show(app, table, row).then(() => by === "enter" && app.arrived("#node-title"));
}

function show(app: App, table: Table, row: unknown): Promise<void> {
  if (table === "nodes") return app.look.node((row as NodeRow).name);
  if (table === "weights") return app.look.weight(row as WeightInfo);
  return app.look.main((row as ArgumentRow).tensor.replace(/:\d+$/, ""), false);
}
