import { html, LitElement, type PropertyValues } from "lit";
import { loadWorkshop } from "../actions/load_workshop.js";
import { explain } from "../engine/engine.js";
import { diagnosticsOf } from "../engine/engine.js";
import { kWords } from "../words/words.js";

/** A diagnostic's code, which expands to its explanation. */
export class CodeMeaning extends LitElement {
  static override properties = { code: { attribute: false }, meaning: { state: true } };

  declare code: string;
  declare meaning: string;

  constructor() {
    super();
    this.code = this.meaning = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("code")) this.meaning = "";
  }

  override render() {
    return html`
      <details class="meaning" @toggle=${this.#open}>
        <summary><code>${this.code}</code> ${kWords.why}</summary>
        <p>${this.meaning || kWords.reading}</p>
      </details>`;
  }

  async #open({ target }: Event): Promise<void> {
    if (!(target as HTMLDetailsElement).open || this.meaning) return;
    const { code } = this;
    const meaning = await meaningOf(code).catch((error: unknown) => diagnosticsOf(error)[0]!.message);
    if (this.code === code) this.meaning = meaning;
  }
}

async function meaningOf(code: string): Promise<string> {
  const { kMeanings } = await loadWorkshop();
  return kMeanings[code] ?? (await explain(code)).explanation;
}

customElements.define("code-meaning", CodeMeaning);
