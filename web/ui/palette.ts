import { html, LitElement, nothing, type PropertyValues } from "lit";

const kPage = 8;

/** Something that a palette can do. */
export interface Command {
  label: string;
  /** The kind of object, or its state. */
  hint: string;
  /** The key that does the same; "" for none. */
  key: string;
  run: () => void;
}

/** The words of a palette. */
export interface PaletteWords {
  label: string;
  /** In the empty field. */
  hint: string;
  /** Below the field. */
  help: string;
  nothing: string;
  results: (count: number) => string;
}

/** A text field with a list of the commands that match it. Fires "run" with the chosen Command. */
export class CommandPalette extends LitElement {
  static override properties = {
    find: { attribute: false },
    words: { attribute: false },
    text: { state: true },
    at: { state: true },
  };

  /** Returns the commands that match a text, best first. */
  declare find: (text: string) => readonly Command[];
  declare words: PaletteWords;
  declare text: string;
  /** Which of those that fit would be done. */
  declare at: number;
  #shown: readonly Command[] = [];

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
    if (changed.has("find") || changed.has("text")) this.#shown = this.find(this.text);
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
      <input type="text" role="combobox" aria-label=${this.words.hint} placeholder=${this.words.hint} aria-controls="commands" aria-autocomplete="list"
        aria-expanded=${any} aria-activedescendant=${any ? `command-${this.at}` : nothing} autocomplete="off" autocapitalize="off" spellcheck="false"
        .value=${this.text} @input=${this.#type} @keydown=${this.#key} aria-describedby="palette-help">
      <p id="palette-help" class="palette-help muted small" ?hidden=${!this.words.help}>${this.words.help}</p>
      <ul id="commands" role="listbox" aria-label=${this.words.label} ?hidden=${!any}>${this.#shown.map((each, i) => this.#option(each, i))}</ul>
      <p class=${any ? "visually-hidden" : "muted small"} role="status">${any ? this.words.results(this.#shown.length) : this.words.nothing}</p>`;
  }

  #option(command: Command, i: number) {
    const { key } = command;
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
