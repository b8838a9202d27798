import type { NodeTable } from "../engine/engine.js";
import type { State } from "../state/state.js";

const kTray = /^:[^/]+\//;

/** Returns the scope of a group of the picture: its name without the tray that it is in. */
export function scopeOfGroup(name: string): string {
  return name.replace(kTray, "");
}

/** Returns the selected node, or the scope of the selected group with "/" at its end; "" if nothing is selected. */
export function selectionOf({ browse, view }: State): string {
  return browse.trail[browse.at] ?? (view.chosen && `${scopeOfGroup(view.chosen)}/`);
}

/** Returns the nodes that a selection is: one, those of a scope, or none. */
export function nodesOfSelection(nodes: NodeTable, selection: string): number[] {
  if (!selection.endsWith("/")) return [nodes.find(selection)].filter((node) => node >= 0);
  const all: number[] = [];
  for (let node = 0; node < nodes.length; node++) if (nodes.name(node).startsWith(selection)) all.push(node);
  return all;
}
