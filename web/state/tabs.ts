import type { Model } from "../engine/engine.js";
import { kEmptyTab, type Other, type State, type Step, type Tab } from "./state.js";
import type { Against } from "./verify.js";

/** Returns all tabs in their order. */
export function tabsOf(state: State): readonly Tab[] {
  return state.tabs.map((tab) => tab ?? state);
}

/** Returns the tabs in which a model is open. */
export function openTabs(state: State): readonly Tab[] {
  return tabsOf(state).filter(({ steps }) => steps.length > 0);
}

/** Returns a tab by its number; null if it was closed. */
export function tabNumbered(state: State, number: number): Tab | null {
  return tabsOf(state).find(({ tab }) => tab === number) ?? null;
}

/** Returns the current step of a tab; null if no model is open in it. */
export function stepOf({ steps, at }: Tab): Step | null {
  return steps[at] ?? null;
}

/** Returns the second model of tools that take two: opened from files, or the current step of another tab. */
export function secondOf(state: State, { other, otherTab }: Tab = state): Other | null {
  const tab = otherTab === null ? null : tabNumbered(state, otherTab);
  return (tab && stepOf(tab)) ?? other;
}

/** Returns the model that the current one is verified against; null if there is none. */
export function modelOf(state: State, against: Against): Model | null {
  if (against === "other") return secondOf(state)?.model ?? null;
  return (against === "opened" ? state.steps[0] : state.steps[state.at - 1])?.model ?? null;
}

/** Returns the state with another tab as the current one. REQUIRES: `tab` is one of the tabs. */
export function withTab(state: State, tab: Tab): State {
  const tabs = tabsOf(state).map((each) => (each.tab === tab.tab ? null : each === state ? tabIn(state) : each));
  return { ...state, ...tab, tabs };
}

// The members of the current tab, by themselves.
function tabIn(state: State): Tab {
  const members = Object.keys(kEmptyTab) as (keyof Tab)[];
  return Object.fromEntries(members.map((name) => [name, state[name]])) as unknown as Tab;
}
