import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { TraceKind } from "../state/state.js";
import { selectionOf } from "../tools/selection.js";
import { kTraceHints, kTraceLabels, kTraceWords, traceText } from "../words/trace.js";

const kMaxShown = 40;

/** The commands that follow edges from the selection. */
export function traceButtons(app: App) {
  if (!app.picture.tracer.isKnown(selectionOf(app.state))) return nothing;
  const trace = app.picture.tracer.current;
  const own = trace?.from === selectionOf(app.state) ? trace.kind : null;
  const kinds = (Object.keys(kTraceLabels) as TraceKind[]).filter((kind) => kind !== "why" || !app.state.browse.body);
  return kinds.map(
    (kind) => html`
    <button type="button" class="button small" title=${kTraceHints[kind]} aria-pressed=${kind === own} @click=${() => start(app, kind)}>${kTraceLabels[kind]}</button>`,
  );
}

// On a narrow screen the picture is another pane, in which the focus is then.
function start(app: App, kind: TraceKind): void {
  app.picture.tracer.start(kind);
  app.browse.showTab("picture");
  app.set({ pane: "contents" });
  if (document.activeElement?.checkVisibility() === false) app.focusOn("#contents-title");
}

/** The shortest way that a path, or a reason why something is needed, takes. */
export function traceWay(app: App) {
  const { tracer } = app.picture;
  const trace = tracer.current;
  if (trace?.kind !== "path" && trace?.kind !== "why") return nothing;
  const traced = tracer.traced(trace);
  const way = traced?.way ?? [];
  return html`
    ${traced?.count === 0 ? html`<p class="small">${traceText(trace, traced)}</p>` : nothing}
    ${
      way.length > 2
        ? html`
      <div class="neighbours">
        <h3>${kTraceWords.way}</h3>
        <ol>${way.slice(0, kMaxShown).map(
          (name) => html`
          <li><button type="button" class="neighbour" @click=${() => app.browse.showNode(name, true)}><code>${name}</code></button></li>`,
        )}</ol>
        ${way.length > kMaxShown ? html`<p class="muted small">… and ${way.length - kMaxShown} more</p>` : nothing}
      </div>`
        : nothing
    }`;
}
