import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import { kTraceWords, traceText } from "../words/trace.js";

/** The line above the picture: what is followed on it. */
export function placeBar(app: App) {
  return html`<div class="picture-place">${traceStatus(app)}</div>`;
}

function traceStatus(app: App) {
  const { tracer } = app.picture;
  const trace = tracer.current;
  if (!trace) return nothing;
  return html`
    <p class="trace"><span>${traceText(trace, tracer.traced(trace))}</span>
      <button type="button" class="icon" aria-label=${kTraceWords.clear} title=${kTraceWords.clear} @click=${() => tracer.clear()}>×</button></p>`;
}
