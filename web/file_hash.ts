import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { html, LitElement, type PropertyValues } from "lit";
import { kWords } from "./words.js";

/** A file's SHA-256, worked out when it is asked for: all of the file is read, in steps. */
export class FileHash extends LitElement {
  static override properties = { blob: { attribute: false }, said: { state: true } };

  declare blob: Blob;
  /** The hash, or how far it is. */
  declare said: string;

  constructor() {
    super();
    this.said = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("blob")) this.said = "";
  }

  override render() {
    if (this.said) return html`<code class="hash" aria-live="polite">${this.said}</code>`;
    return html`<button type="button" class="link small" @click=${this.#hash}>${kWords.checksum}</button>`;
  }

  async #hash(): Promise<void> {
    const { blob } = this;
    const hash = sha256.create();
    let read = 0;
    for await (const step of blob.stream()) {
      if (!this.isConnected || this.blob !== blob) return;
      hash.update(step);
      read += step.length;
      this.said = `${Math.floor((read / blob.size) * 100)} %`;
    }
    this.said = bytesToHex(hash.digest());
  }
}

customElements.define("file-hash", FileHash);
