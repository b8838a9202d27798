import { html } from "lit";
import type { App } from "../actions/app.js";
import { sampleNames } from "../actions/samples.js";
import type { FunctionInfo } from "../engine/engine.js";
import { kTables, type Step, type Theme } from "../state/state.js";
import { formsOf } from "../tools/forms.js";
import { nodeFields, weightFields } from "../tools/node_search.js";
import { type Fields, matcherOf, type Term, termsOf } from "../tools/search.js";
import { counted } from "../ui/format.js";
import "../ui/palette.js";
import type { Command, PaletteWords } from "../ui/palette.js";
import { kForms, kKeysOf, kSamples, kTableWords, kThemes, kWords } from "../words/words.js";
import { focusFilter } from "./keyboard.js";
import { showTheme } from "./theme.js";

const kMax = 80;

const kPaletteWords: Omit<PaletteWords, "help"> = {
  label: kWords.commands,
  hint: kWords.commandHint,
  nothing: kWords.nothingFits,
  results: (count) => counted(count, "result"),
};

/** All commands and places by name. */
export function commandDialog(app: App) {
  const run = (event: CustomEvent<Command>) => {
    app.closeDialog();
    event.detail.run();
  };
  return html`
    <dialog class="palette" aria-label=${kWords.commands}>
      <command-palette .find=${finderOf(app)} .words=${{ ...kPaletteWords, help: app.step ? kWords.searchHelp : "" }} @run=${run}></command-palette>
    </dialog>`;
}

const finders = new WeakMap<App, (text: string) => Command[]>();

// The commands are those of the page when the dialog opens: the same function as long as it is open.
function finderOf(app: App) {
  const open = document.querySelector("command-palette") !== null;
  const finder = open ? finders.get(app) : undefined;
  if (finder) return finder;
  const commands = commandsOf(app);
  const made = (text: string) => found(app, commands, text, kMax);
  finders.set(app, made);
  return made;
}

type Keyless = Omit<Command, "key">;

// Returns all commands that are available now: buttons, choices and fields of the page, and entries of its lists.
function commandsOf(app: App): Command[] {
  const seen = new Set<string>();
  const all = [...inPage(app), ...inLists(app)];
  const unique = all.filter(({ label }) => label !== "" && !seen.has(label) && seen.add(label));
  return unique.map((command) => ({ ...command, key: kKeysOf[command.label] ?? "" }));
}

const kControls =
  ".button, .icon, .link, a.download, [role=tab], .steps button, .tab-show, .flag, .choice, .field label";

// The page is its own list of actions: whatever gets a button is found here.
function inPage(app: App): Keyless[] {
  const all = [...document.querySelectorAll<HTMLElement>("header.bar, main, .working")].flatMap((part) => [
    ...part.querySelectorAll<HTMLElement>(kControls),
  ]);
  return all
    .filter((control) => !control.matches(".commands, .tabs-menu, :disabled"))
    .map((control) => inPageOne(app, control));
}

function inPageOne(app: App, control: HTMLElement): Keyless {
  const text = (control.ariaLabel ?? control.textContent).replace(/\s+/g, " ").trim();
  const box = control.querySelector<HTMLInputElement>("input[type=checkbox]");
  const field =
    control instanceof HTMLLabelElement && control.htmlFor ? document.getElementById(control.htmlFor) : null;
  const act = field ? () => field.focus() : () => (box ?? control).click();
  const run = () => {
    const pane = control.closest<HTMLElement>("[data-pane]")?.dataset["pane"];
    if (pane) app.set({ pane: pane as App["state"]["pane"] });
    if (control.role === "tab") control.focus();
    act();
  };
  if (control.matches(".choice"))
    return { label: `${kWords.output} ${control.querySelector("code")!.textContent}`, hint: stands(box!), run };
  if (control.role === "tab") return { label: `${kWords.show} ${text}`, hint: "", run };
  if (control.matches(".tab-show")) return { label: `${kWords.goTo} ${text}`, hint: kWords.openModels, run };
  if (control.matches(".steps button")) return { label: `${kWords.goTo} ${text}`, hint: kWords.history, run };
  return { label: field ? `${kWords.fillIn} ${text}` : text, hint: box ? stands(box) : "", run };
}

function stands({ checked }: HTMLInputElement): string {
  return checked ? kWords.on : kWords.off;
}

function inLists(app: App): Keyless[] {
  const { step } = app;
  const samples = sampleNames.map((name) => ({
    label: `${kWords.openSample} ${kSamples[name]!.title}`,
    hint: kSamples[name]!.kind,
    run: () => void app.files.openSample(name),
  }));
  const themes = Object.entries(kThemes).map(([name, label]) => ({
    label: `${kWords.theme}: ${label}`,
    hint: "",
    run: () => color(app, name as Theme),
  }));
  const filter = {
    label: kWords.filterIt,
    hint: kTables.map((name) => kTableWords[name]).join(", "),
    run: () => focusFilter(app),
  };
  return [...(step ? [filter, ...forms(app)] : []), ...samples, ...themes];
}

function color(app: App, theme: Theme): void {
  showTheme(theme);
  app.set({ theme });
}

// The formats that the panel offers for this model.
function forms(app: App): Keyless[] {
  return formsOf(app.step!.about).map((form) => ({
    label: `${kWords.saveAs} ${kForms[form].label}`,
    hint: "",
    run: () => {
      app.choices.useTool("save");
      void app.saving.save(form);
    },
  }));
}

/** Somewhere to go in a model. */
interface Place {
  name: string;
  hint: string;
  go: (app: App) => void;
}

/** The named parts of a model that a search finds: nodes, weights that are not nodes, functions. Only lists that are loaded. */
function* placesOf(step: Step, terms: readonly Term[]): Generator<Place> {
  const { nodes } = step.lists["nodes"] ?? {};
  if (nodes) {
    const all = Array.from({ length: nodes.length }, (_, node) => node);
    const fields = terms.some(({ field }) => field) ? nodeFields(nodes, step, "") : {};
    const matches = matcherOf(terms, all, fields, (node) => nodes.name(node));
    for (const node of all) {
      const name = nodes.name(node);
      if (matches(node))
        yield { name, hint: nodes.op(node), go: (app) => inspect(app, () => app.browse.showMainNode(name)) };
    }
  }
  const weights = (step.lists["weights"]?.weights ?? []).filter(({ node }) => !node);
  for (const weight of weights.filter(matcherOf(terms, weights, weightFields, ({ name }) => name)))
    yield { name: weight.name, hint: weight.dtype, go: (app) => inspect(app, () => app.browse.showWeight(weight)) };
  const functions = step.lists["functions"]?.functions ?? [];
  const fields: Fields<FunctionInfo> = { name: ({ name }) => name, role: () => "function" };
  for (const { name } of functions.filter(matcherOf(terms, functions, fields, (each) => each.name)))
    yield { name, hint: kWords.inFunction, go: (app) => app.browse.enterFunction(name) };
}

function inspect(app: App, look: () => Promise<void>): void {
  app.set({ pane: "inspector" });
  void look().then(() => app.focusOn("#node-title"));
}

// Returns the commands that contain every word: best first, actions before places, at most `most`. Filters find places alone.
function found(app: App, commands: readonly Command[], text: string, most: number): Command[] {
  const terms = termsOf(text);
  if (terms.length === 0) return commands.slice(0, most);
  const isFiltered = terms.some(({ field, negated }) => field || negated);
  const words = terms.filter(({ field, negated }) => !field && !negated).map(({ value }) => value);
  const ranks: Command[][] = [[], [], []];
  for (const command of isFiltered ? [] : commands) ranks[rank(command.label, words) ?? 3]?.push(command);
  for (const { name, hint, go } of app.step ? placesOf(app.step, terms) : []) {
    const at = rank(name, words);
    if (at !== null && ranks[at]!.length < most) ranks[at]!.push({ label: name, hint, key: "", run: () => go(app) });
  }
  return ranks.flat().slice(0, most);
}

// 0: it begins so; 1: a part of the name does; 2: it is somewhere in it.
function rank(label: string, words: readonly string[]): 0 | 1 | 2 | null {
  const all = label.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  if (all.startsWith(words[0] ?? "")) return 0;
  return words.every((word) => new RegExp(`[^a-z0-9]${word.replace(/[^\w]/g, "\\$&")}`).test(all)) ? 1 : 2;
}
