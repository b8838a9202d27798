import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { html, LitElement, type PropertyValues } from "lit";
import { kWords } from "../words/words.js";

const kStep = 4 * 1024 * 1024;

/** A file's SHA-256, computed on request: all of the file is read, in steps. */
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
    if (this.said)
      return html`<span class="muted small">${kWords.checksum}</span> <code class="hash" aria-live="polite">${this.said}</code>`;
    return html`<button type="button" class="link small" @click=${this.#hash}>${kWords.checksum}</button>`;
  }

  async #hash(): Promise<void> {
    const { blob } = this;
    const hash = sha256.create();
    for (let at = 0; at < blob.size; at += kStep) {
      const step = await blob.slice(at, at + kStep).arrayBuffer();
      if (!this.isConnected || this.blob !== blob) return;
      hash.update(new Uint8Array(step));
      this.said = `${Math.floor(((at + step.byteLength) / blob.size) * 100)} %`;
    }
    this.said = bytesToHex(hash.digest());
  }
}

customElements.define("file-hash", FileHash);
