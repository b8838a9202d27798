import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { PictureBox } from "../engine/engine.js";
import { kPictureWords } from "../words/picture.js";
import { kTraceWords, traceText } from "../words/trace.js";
import type { DrawnPicture } from "./drawn.js";
import type { PictureView } from "./picture_view.js";

/** The line above the picture: the way from the graph to the chosen box, and what is followed on it. */
export function placeBar(app: App, drawn: DrawnPicture | null, chosen: PictureBox | null) {
  return html`<div class="picture-place">${drawn ? crumbs(app, drawn, chosen) : nothing} ${traceStatus(app)}</div>`;
}

interface Crumb {
  label: string;
  go: (view: PictureView) => void;
}

function crumbs(app: App, { layout: { boxes } }: DrawnPicture, chosen: PictureBox | null) {
  const { body } = app.state.browse;
  const all: Crumb[] = body
    ? [
        { label: kPictureWords.mainGraph, go: () => app.browse.enterFunction("") },
        { label: body, go: (view) => view.fit(null) },
      ]
    : [{ label: kPictureWords.mainGraph, go: (view) => view.fit(null) }];
  const way: PictureBox[] = [];
  for (let box = chosen ?? undefined; box; box = boxes[box.parent]) way.unshift(box);
  all.push(...way.map((box) => ({ label: labelOf(box), go: (view: PictureView) => view.fit(box) })));
  const last = all.length - 1;
  return html`
    <nav class="crumbs" aria-label=${kPictureWords.place}>
      <ol>${all.map(
        ({ label, go }, i) => html`
        <li><button type="button" class="crumb" title=${label} aria-current=${i === last ? "location" : nothing} @click=${(event: Event) => go(viewOf(event))}>${label}</button></li>`,
      )}</ol>
    </nav>`;
}

// A node's label is its op, of which there are many: its own name says more.
function labelOf({ kind, name, label }: PictureBox): string {
  return kind === "node" ? name.slice(name.lastIndexOf("/") + 1) : label;
}

function viewOf({ currentTarget }: Event): PictureView {
  return (currentTarget as Element).closest(".picture-pane")!.querySelector("picture-view")!;
}

function traceStatus(app: App) {
  const { tracer } = app.picture;
  const trace = tracer.current;
  if (!trace) return nothing;
  return html`
    <p class="trace"><span>${traceText(trace, tracer.traced(trace))}</span>
      <button type="button" class="icon" aria-label=${kTraceWords.clear} title=${kTraceWords.clear} @click=${() => tracer.clear()}>×</button></p>`;
}
