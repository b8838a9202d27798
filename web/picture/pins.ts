import type { App } from "../actions/app.js";
import type { PictureLayout } from "../engine/engine.js";
import type { Choice, Step } from "../state/state.js";
import { inputNames } from "../tools/options.js";
import { selectionOf } from "../tools/selection.js";
import { names } from "../words/format.js";
import { kPictureWords } from "../words/picture.js";
import { boxOfNode } from "./drawn.js";

/** An input or output of the graph that the current verb keeps. */
export interface Pin {
  way: "input" | "output";
  /** The tensor. */
  name: string;
  /** A person, or the suggestion for one, chose it: it can be taken off. */
  chosen: boolean;
}

/** The pins of one kind that a box has. */
export interface BoxPins {
  box: number;
  way: Pin["way"];
  pins: readonly Pin[];
}

const known = new WeakMap<Choice, readonly Pin[]>();

/** Returns the chosen outputs and inputs, and the model's own inputs; the same object for the same choice. */
export function pinsOf({ about, choice }: Step): readonly Pin[] {
  const kept = known.get(choice);
  if (kept) return kept;
  const outputs = new Set([...choice.outputs, ...names(choice.texts["more"] ?? "")]);
  const inputs = new Set(inputNames(choice));
  const pin = (way: Pin["way"], chosen: boolean) => (name: string) => ({ way, name, chosen });
  const own = about.inputs.map(({ name }) => name).filter((name) => !inputs.has(nodeOf(name)) && !inputs.has(name));
  const pins = [
    ...[...outputs].map(pin("output", true)),
    ...[...inputs].map(pin("input", true)),
    ...own.map(pin("input", false)),
  ];
  known.set(choice, pins);
  return pins;
}

/** Returns the pins by the boxes that their nodes are drawn as or in. */
export function placedPins(layout: PictureLayout, pins: readonly Pin[]): BoxPins[] {
  const places = new Map<string, { box: number; way: Pin["way"]; pins: Pin[] }>();
  for (const pin of pins) {
    const box = boxOfNode(layout, nodeOf(pin.name))?.id;
    if (box === undefined) continue;
    const key = `${pin.way} ${box}`;
    const place = places.get(key) ?? { box, way: pin.way, pins: [] };
    place.pins.push(pin);
    places.set(key, place);
  }
  return [...places.values()];
}

/** Makes the selected node an output or an input, or no longer. */
export function togglePin(app: App, way: Pin["way"]): void {
  const name = selectionOf(app.state);
  if (!name || name.endsWith("/") || app.state.browse.body) return app.set({ announcement: kPictureWords.noPin });
  if (way === "output") app.choices.toggleOutput(name);
  else app.choices.toggleInput(name);
  announce(app, way, name);
}

/** Takes a pin off. */
export function takeOff(app: App, { way, name }: Pin): void {
  const { choice } = app.step!;
  if (way === "input") app.choices.toggleInput(name);
  else if (choice.outputs.has(name)) app.choices.toggleOutput(name);
  else {
    const more = names(choice.texts["more"] ?? "").filter((each) => each !== name);
    app.choices.change({ texts: { ...choice.texts, more: more.join(", ") } });
  }
  announce(app, way, name);
}

function announce(app: App, way: Pin["way"], name: string): void {
  const { choice } = app.step!;
  const has = way === "output" ? choice.outputs.has(name) : inputNames(choice).includes(name);
  const words = way === "output" ? kPictureWords.outputPin : kPictureWords.inputPin;
  app.set({ announcement: `${name}: ${has ? words.added : words.removed}` });
}

function nodeOf(tensor: string): string {
  return tensor.replace(/:\d+$/, "");
}
