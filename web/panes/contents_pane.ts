import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { FunctionInfo, NodeTable, WeightInfo } from "../engine/engine.js";
import { picturePane } from "../picture/picture_pane.js";
import { kTables, nodeList, type StepList, type ContentsTab, type Step, type Table } from "../state/state.js";
import { chip } from "../ui/chip.js";
import "../ui/data_table.js";
import type { Chosen } from "../ui/data_table.js";
import { count } from "../ui/format.js";
import { pendingList } from "../ui/pending_list.js";
import { tabs } from "../ui/tabs.js";
import { kPictureWords } from "../words/picture.js";
import { isWeightsAlone, kTableWords, kWords } from "../words/words.js";
import { filterInput } from "./filter_input.js";
import { contentsOf, countOf, matching, withinScope, type ArgumentRow, type Contents } from "./tables.js";

/** The contents of a model, as a picture and in tables. */
export function contentsPane(app: App, step: Step) {
  const { table } = app.state.browse;
  const { tools, panel } = table === "picture" ? pictured(app, step) : listed(app, step, table);
  return html`
    <section class="pane contents" data-pane="contents" aria-labelledby="contents-title">
      <h2 id="contents-title" class="visually-hidden" tabindex="-1">${kWords.contents}</h2>
      <div class="pane-head">
        ${tabs(
          "table",
          kWords.contents,
          shownOf(step).map((name) => tab(step, name, app.state.browse.body)),
          table,
          (name) => app.browse.showTab(name as ContentsTab),
        )}
        ${tools}
      </div>
      <div class="stage" id="table-panel" role="tabpanel" aria-labelledby="table-${table}">${panel}</div>
    </section>`;
}

function pictured(app: App, step: Step) {
  const { body: inside, filter } = app.state.browse;
  const tools = filter
    ? html`
    <div class="filter">${chip(kWords.filter, filter, kWords.dismiss, () => app.browse.filterBy(""))}</div>`
    : nothing;
  return { tools, panel: picturePane(app, step, filter ? namesOf(step, inside, filter) : null) };
}

const named = new WeakMap<readonly unknown[], readonly string[]>();

// The names of the nodes that a filter finds; null if they are not listed yet.
function namesOf(step: Step, body: string, filter: string): readonly string[] | null {
  const contents = contentsOf(step, "nodes", body);
  if (!contents.rows) return null;
  const rows = matching(step, contents, filter);
  if (rows === contents.rows) return null; // the filter has no terms yet
  if (!named.has(rows)) named.set(rows, rows.map(contents.scoped));
  return named.get(rows)!;
}

function listed(app: App, step: Step, table: Table) {
  const { filter, scope, body: inside } = app.state.browse;
  const contents = contentsOf(step, table, inside);
  const rows = withinScope(matching(step, contents, filter), contents, scope);
  const name = table === "nodes" ? nodeList(inside) : table;
  const list = step.lists[name];
  return {
    tools: filterField(app, contents.rows?.length ?? 0, rows.length),
    panel: contents.rows || list ? body(app, table, contents, list, rows) : listing(app, step, table, name),
  };
}

// Weights alone have nothing else.
function shownOf({ about }: Step): readonly ContentsTab[] {
  return isWeightsAlone(about) ? ["weights"] : ["picture", ...kTables];
}

function tab(step: Step, name: ContentsTab, inside: string) {
  if (name === "picture") return { name, label: kPictureWords.picture };
  const amount = countOf(step, name, inside);
  return {
    name,
    label: html`${kTableWords[name]} <span class="amount">${amount === null ? "…" : count(amount)}</span>`,
  };
}

function filterField(app: App, all: number, left: number) {
  const { filter, scope, body: inside, table } = app.state.browse;
  return html`
    <div class="filter">
      ${inside && table === "nodes" ? chip(kWords.inFunction, inside, kWords.dismiss, () => app.browse.enterFunction("")) : nothing}
      ${scope ? chip(kWords.scopes, `${scope}/`, kWords.dismiss, () => app.browse.showScope("")) : nothing}
      ${filterInput(app, "filter", kWords.filter)}
      ${filter || scope ? html`<span class="muted small" aria-live="polite">${count(left)} of ${count(all)}</span>` : nothing}
    </div>`;
}

// A list that is not there yet.
function listing(app: App, step: Step, table: Table, list: string) {
  const amount = table === "weights" ? null : countOf(step, table, app.state.browse.body);
  return pendingList({
    text: `${kWords.listing}${amount ? ` ${count(amount)} ${kTableWords[table].toLowerCase()}` : ""}`,
    stopped: app.lists.isStopped(step, list),
    words: { stop: kWords.cancel, retry: kWords.listIt },
    stop: () => app.lists.stop(step, list),
    retry: () => app.lists.retry(step, list),
  });
}

function body(
  app: App,
  table: Table,
  contents: Contents<unknown>,
  list: StepList | undefined,
  rows: readonly unknown[],
) {
  if (!contents.rows) return html`<p class="empty-table muted">${list?.diagnostics[0]?.message}</p>`;
  if (rows.length === 0)
    return html`<p class="empty-table muted">${contents.rows.length ? kWords.nothingMatches : kWords.nothingHere}</p>`;
  const { node, weight } = app.state.browse;
  return html`
    <data-table .rows=${rows} .columns=${contents.columns} .keyOf=${contents.key} .label=${kTableWords[table]}
      .chosen=${(table === "weights" ? weight?.name : node && placeOf(list, node.name)) ?? ""}
      @choose=${(event: CustomEvent<Chosen<unknown>>) => choose(app, table, event.detail)}></data-table>`;
}

// The row of a node; "" if it is in none.
function placeOf(list: StepList | undefined, name: string): number | "" {
  const place = list?.nodes?.find(name) ?? -1;
  return place < 0 ? "" : place;
}

function choose(app: App, table: Table, { row, by }: Chosen<unknown>): void {
  if (table === "functions") {
    if (by !== "arrow") app.browse.enterFunction((row as FunctionInfo).name);
    return;
  }
  if (by !== "arrow") app.set({ pane: "inspector" });
  void show(app, table, row).then(() => by === "enter" && app.focusOn("#node-title"));
}

function nodesOf({ step, state }: App): NodeTable | undefined {
  return step?.lists[nodeList(state.browse.body)]?.nodes;
}

function show(app: App, table: Table, row: unknown): Promise<void> {
  if (table === "nodes") return app.browse.showNode(nodesOf(app)!.name(row as number));
  if (table === "weights") return app.browse.showWeight(row as WeightInfo);
  return app.browse.showMainNode((row as ArgumentRow).tensor.replace(/:\d+$/, ""), false);
}
