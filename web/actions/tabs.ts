import type { Diagnostic, Files, InspectReport } from "../engine/engine.js";
import {
  kEmptyTab,
  kInitialBrowse,
  type BrowseState,
  type Failure,
  type Pane,
  type Step,
  type Tab,
  viewOf,
} from "../state/state.js";
import { openTabs, tabNumbered, tabsOf, withTab } from "../state/tabs.js";
import { toolsOf } from "../tools/options.js";
import { baseName } from "../words/format.js";
import { closedTab, kWords, missingParts } from "../words/words.js";
import type { App } from "./app.js";
import { release } from "./step.js";

const kRestarted: Diagnostic = {
  severity: "warning",
  code: "worker-lost",
  where: {},
  message: kWords.restartedWhy,
  fix: kWords.restartedFix,
  fixable: false,
};

/**
 * Opens, shows and closes tabs, one for each model.
 *
 * All their models are in one worker. A worker of its own would let a tab compute while another does, and give all its
 * memory back when it ends; but each takes 17 MB before it has a model (measured in Chromium), and a second model of
 * Transfer or Compare would have to be opened again in the worker of the first. If the core crashes, or a call is
 * canceled, the worker ends with all models in it, and each is made again of its files when it is used next.
 */
export class TabActions {
  #count = 0;

  constructor(private readonly app: App) {}

  /**
   * Shows an opened model: in place of the model of the tab `into` if it has no results, in the current tab if that is
   * empty, else in a new one.
   */
  open(step: Step, files: Files, into: number | null): void {
    const { state } = this.app;
    const old = this.#place(into);
    if (old) this.#free({ ...old, other: null, run: kEmptyTab.run });
    const tab = old?.tab ?? ++this.#count;
    const opened: Tab = {
      ...kEmptyTab,
      ...(old && { other: old.other, otherTab: old.otherTab, run: old.run }),
      tab,
      name: this.#nameFor(step, tab),
      steps: [step],
      files,
      tool: toolsOf(step.about)[0]!,
      pane: firstPane(step),
      browse: firstBrowse(step.about),
      view: viewOf(state.view, step),
    };
    const parked = state.tabs.map((each) => (each?.tab === tab ? opened : each));
    const change = tab === state.tab ? opened : withTab({ ...state, tabs: old ? parked : [...parked, opened] }, opened);
    this.app.set(change);
    this.app.showResult("#model-title", step.about.model);
  }

  /** Shows another tab. A task that runs goes on. */
  show(number: number): void {
    const { state } = this.app;
    const tab = tabNumbered(state, number);
    if (!tab || number === state.tab) return;
    this.app.comparison.hide();
    this.app.set({ ...withTab(this.app.state, tab), announcement: tab.failure?.title ?? tab.name });
  }

  /** Shows the next tab, or the one before. The first follows the last. */
  step(by: -1 | 1): void {
    const all = tabsOf(this.app.state);
    const at = all.findIndex(({ tab }) => tab === this.app.state.tab);
    this.show(all[(at + by + all.length) % all.length]!.tab);
  }

  /** Closes a tab; asks before, if it has results that were not downloaded. */
  close(number = this.app.state.tab): void {
    const tab = tabNumbered(this.app.state, number);
    if (!tab || tab.steps.length === 0) return;
    if (tab.unsaved) this.app.set({ dialog: "close", closing: number });
    else this.discard(number);
  }

  /** Closes a tab with its results, and frees their memory. The tab next to it is shown; after the last, the start page. */
  discard(number: number): void {
    const tab = tabNumbered(this.app.state, number);
    if (!tab) return;
    const { busy, dialog, tab: current } = this.app.state;
    if (busy?.tab === number) this.app.cancel();
    this.#free(tab);
    const all = tabsOf(this.app.state);
    const rest = all.filter((each) => each !== tab).map((each) => withoutSecond(each, number));
    if (rest.length === 0) rest.push({ ...kEmptyTab, tab: ++this.#count });
    const next = rest.find((each) => each.tab === current) ?? rest[Math.min(all.indexOf(tab), rest.length - 1)]!;
    const hasModel = next.steps.length > 0;
    this.app.set({
      ...next,
      tabs: rest.map((each) => (each === next ? null : each)),
      dialog: dialog === "tabs" && hasModel ? dialog : null,
      announcement: closedTab(tab.name),
    });
    const isFocusLost = number === current || document.activeElement === document.body;
    if (isFocusLost) this.app.focusOn(hasModel ? '.model-tabs [aria-current="true"]' : ".empty h1");
  }

  /** Takes the current step of another tab as the second model. */
  useAsSecond(number: number): void {
    this.app.state.other?.model.close();
    this.app.set({ other: null, otherTab: number });
  }

  /** Reports in the other tabs that the core has ended, with their models. The one that it worked for has the failure. */
  reportRestart(): void {
    const { busy, tab: current } = this.app.state;
    const failure: Failure = { title: kWords.restarted, diagnostics: [kRestarted], offers: [] };
    for (const { tab } of openTabs(this.app.state))
      if (tab !== (busy?.tab ?? current)) this.app.setIn(tab, { failure });
  }

  #place(into: number | null): Tab | null {
    const tab = into === null ? null : tabNumbered(this.app.state, into);
    if (tab && tab.steps.length <= 1) return tab;
    return this.app.state.steps.length === 0 ? tabNumbered(this.app.state, this.app.state.tab) : null;
  }

  #free(tab: Tab): void {
    this.app.preview.forget(tab);
    for (const step of tab.steps) release(step);
    tab.other?.model.close();
    for (const { picture } of Object.values(tab.run.given)) URL.revokeObjectURL(picture);
  }

  // Names that are taken get a number.
  #nameFor({ about }: Step, own: number): string {
    const others = openTabs(this.app.state).filter(({ tab }) => tab !== own);
    const taken = new Set(others.map(({ name }) => name));
    const name = baseName(about.model || about.files[0]?.path || "");
    let numbered = name;
    for (let i = 2; taken.has(numbered); i++) numbered = `${name} (${i})`;
    return numbered;
  }
}

function withoutSecond(tab: Tab, closed: number): Tab {
  return tab.otherTab === closed ? { ...tab, otherTab: null } : tab;
}

function firstBrowse({ nodes }: InspectReport): BrowseState {
  return { ...kInitialBrowse, table: nodes > 0 ? "picture" : "weights" };
}

// On a narrow screen: the picture; of a model that lacks parts, these.
function firstPane({ about, model }: Step): Pane {
  return about.nodes > 0 && !missingParts(about, [...model.report.diagnostics, ...about.diagnostics])
    ? "contents"
    : "model";
}
