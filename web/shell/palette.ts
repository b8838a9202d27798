import { html, LitElement, nothing, type PropertyValues } from "lit";
import type { App } from "../app/app.js";
import { counted } from "../words/format.js";
import { kWords } from "../words/words.js";
import { commandsOf, found, keyOf, type Command } from "./commands.js";

const kMost = 80;
const kPage = 8;

/** All commands and places by name: a text field with a list of matches. */
export function palette(app: App) {
  const run = (event: CustomEvent<Command>) => {
    app.closeDialog();
    event.detail.run();
  };
  return html`
    <dialog class="palette" aria-label=${kWords.commands}>
      <command-palette .app=${app} @run=${run}></command-palette>
    </dialog>`;
}

export class CommandPalette extends LitElement {
  static override properties = { app: { attribute: false }, text: { state: true }, at: { state: true } };

  declare app: App;
  declare text: string;
  /** Which of those that fit would be done. */
  declare at: number;
  #commands: Command[] = [];
  #shown: Command[] = [];

  constructor() {
    super();
    this.text = "";
    this.at = 0;
  }

  // In the page's own tree, so that its style sheet holds here too.
  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("app")) this.#commands = commandsOf(this.app);
    if (changed.has("app") || changed.has("text")) this.#shown = found(this.app, this.#commands, this.text, kMost);
  }

  override firstUpdated(): void {
    this.querySelector("input")!.focus();
  }

  override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  override render() {
    const any = this.#shown.length > 0;
    return html`
      <input type="text" role="combobox" aria-label=${kWords.commandHint} placeholder=${kWords.commandHint} aria-controls="commands" aria-autocomplete="list"
        aria-expanded=${any} aria-activedescendant=${any ? `command-${this.at}` : nothing} autocomplete="off" autocapitalize="off" spellcheck="false"
        .value=${this.text} @input=${this.#type} @keydown=${this.#key}>
      <ul id="commands" role="listbox" aria-label=${kWords.commands} ?hidden=${!any}>${this.#shown.map((each, i) => this.#option(each, i))}</ul>
      <p class=${any ? "visually-hidden" : "muted small"} role="status">${any ? counted(this.#shown.length, "result") : kWords.nothingFits}</p>`;
  }

  #option(command: Command, i: number) {
    const key = keyOf(command);
    return html`
      <li id="command-${i}" role="option" aria-selected=${i === this.at} @click=${() => this.#run(command)}>
        <span>${command.label}</span><small>${command.hint}</small>${key ? html`<kbd>${key}</kbd>` : nothing}
      </li>`;
  }

  #type({ target }: Event): void {
    this.text = (target as HTMLInputElement).value;
    this.at = 0;
  }

  #key(event: KeyboardEvent): void {
    const { length } = this.#shown;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: kPage, PageUp: -kPage };
    const step = steps[event.key];
    if (event.key === "Escape")
      event.stopPropagation(); // it closes this, and ends nothing
    else if (event.key === "Enter" && length > 0) this.#run(this.#shown[this.at]!);
    else if (step && length > 0)
      this.at =
        Math.abs(step) === 1 ? (this.at + step + length) % length : Math.max(0, Math.min(length - 1, this.at + step));
    else return;
    if (event.key !== "Escape") event.preventDefault();
  }

  #run(command: Command): void {
    this.dispatchEvent(new CustomEvent<Command>("run", { detail: command }));
  }
}

customElements.define("command-palette", CommandPalette);
