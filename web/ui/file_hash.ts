import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { html, LitElement, type PropertyValues } from "lit";
import { discard } from "../../wasm/package/entries/page.js";

const kStep = 4 * 1024 * 1024;

/** A file's SHA-256, computed on request: all of the file is read, in steps. */
export class FileHash extends LitElement {
  static override properties = { blob: { attribute: false }, label: {}, shown: { state: true } };

  declare blob: Blob;
  declare label: string;
  /** The hash, or how far it is. */
  declare shown: string;

  constructor() {
    super();
    this.label = this.shown = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("blob")) this.shown = "";
  }

  override render() {
    if (this.shown)
      return html`<span class="muted small">${this.label}</span> <code class="hash" aria-live="polite">${this.shown}</code>`;
    return html`<button type="button" class="link small" @click=${this.#hash}>${this.label}</button>`;
  }

  async #hash(): Promise<void> {
    const { blob } = this;
    const hash = sha256.create();
    for (let at = 0; at < blob.size; at += kStep) {
      const step = await blob.slice(at, at + kStep).arrayBuffer();
      if (!this.isConnected || this.blob !== blob) return;
      hash.update(new Uint8Array(step));
      this.shown = `${Math.floor(((at + step.byteLength) / blob.size) * 100)} %`;
      discard(step);
    }
    this.shown = bytesToHex(hash.digest());
  }
}

customElements.define("file-hash", FileHash);
