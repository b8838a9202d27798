import { html } from "lit";
import { kWords } from "../words/words.js";

/** The address of the documentation's entrance, by scripts/bundle_page.mjs. */
declare const DOCS_ADDRESS: string;

/** A link to the documentation, in a tab of its own: models that are open stay so. */
export function documentationLink() {
  return html`<p class="documentation"><a class="link" href=${DOCS_ADDRESS} target="_blank" rel="noopener">${kWords.documentation}</a></p>`;
}
