import { html, nothing } from "lit";
import type { App } from "../app/app.js";
import type { FunctionInfo, NodeTable, WeightInfo } from "../app/engine.js";
import { kTables, nodeList, type Listed, type Shown, type Step, type Table } from "../app/state.js";
import { picturePane } from "../picture/picture_pane.js";
import { tabs } from "../shell/tabs.js";
import { count } from "../words/format.js";
import { kPictureWords } from "../words/picture.js";
import { isWeightsAlone, kTableWords, kWords } from "../words/words.js";
import "./data_table.js";
import type { Chosen } from "./data_table.js";
import { contentsOf, countOf, matching, type ArgumentRow, type Contents } from "./tables.js";

/** The contents of a model, as a picture and in tables. */
export function contentsPane(app: App, step: Step) {
  const { table } = app.state.looking;
  const { tools, panel } = table === "picture" ? pictured(app, step) : listed(app, step, table);
  return html`
    <section class="pane contents" data-pane="contents" aria-labelledby="contents-title">
      <h2 id="contents-title" class="visually-hidden" tabindex="-1">${kWords.contents}</h2>
      <div class="pane-head">
        ${tabs(
          "table",
          kWords.contents,
          shownOf(step).map((name) => tab(step, name, app.state.looking.body)),
          table,
          (name) => app.look.show(name as Shown),
        )}
        ${tools}
      </div>
      <div class="stage" id="table-panel" role="tabpanel" aria-labelledby="table-${table}">${panel}</div>
    </section>`;
}

function pictured(app: App, step: Step) {
  const { body: inside } = app.state.looking;
  const tools = inside
    ? html`<div class="filter">${chip(kWords.inFunction, inside, () => app.look.enter(""))}</div>`
    : nothing;
  return { tools, panel: picturePane(app, step) };
}

function listed(app: App, step: Step, table: Table) {
  const { filter, scope, body: inside } = app.state.looking;
  const contents = contentsOf(step, table, inside);
  const rows = matching(contents, filter, scope);
  const name = table === "nodes" ? nodeList(inside) : table;
  const list = step.lists[name];
  return {
    tools: filterField(app, contents.rows?.length ?? 0, rows.length),
    panel: contents.rows || list ? body(app, table, contents, list, rows) : listing(app, step, table, name),
  };
}

// Weights alone have nothing else.
function shownOf({ about }: Step): readonly Shown[] {
  return isWeightsAlone(about) ? ["weights"] : ["picture", ...kTables];
}

function tab(step: Step, name: Shown, inside: string) {
  if (name === "picture") return { name, label: kPictureWords.picture };
  const amount = countOf(step, name, inside);
  return {
    name,
    label: html`${kTableWords[name]} <span class="amount">${amount === null ? "…" : count(amount)}</span>`,
  };
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

// A list that is not there yet: it can be stopped, and listed again.
function listing(app: App, step: Step, table: Table, list: string) {
  const amount = table === "weights" ? null : countOf(step, table, app.state.looking.body);
  if (app.look.isStopped(step, list))
    return html`<p class="empty-table"><button type="button" class="button small" @click=${() => app.look.again(step, list)}>${kWords.listIt}</button></p>`;
  return html`
    <div class="empty-table muted"><p>${kWords.listing}${amount ? ` ${count(amount)} ${kTableWords[table].toLowerCase()}` : ""}</p>
      <button type="button" class="button small trying" @click=${() => app.look.stop(step, list)}>${kWords.cancel}</button></div>`;
}

function body(app: App, table: Table, contents: Contents<unknown>, list: Listed | undefined, rows: readonly unknown[]) {
  if (!contents.rows) return html`<p class="empty-table muted">${list?.diagnostics[0]?.message}</p>`;
  if (rows.length === 0)
    return html`<p class="empty-table muted">${contents.rows.length ? kWords.nothingMatches : kWords.nothingHere}</p>`;
  const { node, weight } = app.state.looking;
  return html`
    <data-table .rows=${rows} .columns=${contents.columns} .keyOf=${contents.key} .label=${kTableWords[table]}
      .chosen=${(table === "weights" ? weight?.name : node && placeOf(list, node.name)) ?? ""}
      @choose=${(event: CustomEvent<Chosen<unknown>>) => choose(app, table, event.detail)}></data-table>`;
}

// The row of a node; "" if it is in none.
function placeOf(list: Listed | undefined, name: string): number | "" {
  const place = list?.nodes?.find(name) ?? -1;
  return place < 0 ? "" : place;
}

function choose(app: App, table: Table, { row, by }: Chosen<unknown>): void {
  if (table === "functions") {
    if (by !== "arrow") app.look.enter((row as FunctionInfo).name);
    return;
  }
  if (by !== "arrow") app.set({ pane: "inspector" });
  void show(app, table, row).then(() => by === "enter" && app.arrived("#node-title"));
}

function nodesOf({ step, state }: App): NodeTable | undefined {
  return step?.lists[nodeList(state.looking.body)]?.nodes;
}

function show(app: App, table: Table, row: unknown): Promise<void> {
  if (table === "nodes") return app.look.node(nodesOf(app)!.name(row as number));
  if (table === "weights") return app.look.weight(row as WeightInfo);
  return app.look.main((row as ArgumentRow).tensor.replace(/:\d+$/, ""), false);
}
