import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { PictureBox } from "../engine/engine.js";
import { diagnosticList } from "../findings/diagnostics.js";
import { type Coloring, nodeList, type Drawing, type Step } from "../state/state.js";
import { counted } from "../ui/format.js";
import { baseName } from "../words/format.js";
import { kColorings, kPictureWords } from "../words/picture.js";
import { boxOfNode, boxOfScope, matchesOf, scopeOf, type DrawnPicture, type Matches } from "./drawn.js";
import "./picture_view.js";
import type { ChosenBox } from "./picture_view.js";

const kNoPins: ReadonlySet<string> = new Set();

/** The picture of the model, or of the function that is looked into. `found`: names that the filter finds; null for no filter. */
export function picturePane(app: App, step: Step, found: readonly string[] | null) {
  const { drawing } = app.state;
  if (step.about.nodes === 0) return html`<p class="empty-table muted">${kPictureWords.nothing}</p>`;
  if (app.picture.isDeferred(step)) {
    return html`
      <div class="empty-table"><p class="muted">${kPictureWords.large}</p>
        <button type="button" class="button" @click=${() => app.picture.drawDeferred(step)}>${kPictureWords.drawIt}</button></div>`;
  }
  if (drawing?.step !== step.id) return html`<p class="empty-table muted">${kPictureWords.drawing}</p>`;
  const drawn = drawnOf(drawing);
  return html`
    <div class="picture-pane">
      ${pictureTools(app, step, drawn)}
      ${drawing.failure ? html`<div class="picture-failure">${diagnosticList(drawing.failure)}</div>` : nothing}
      ${
        drawn
          ? html`
        <picture-view .drawn=${drawn} .chosen=${chosenBox(app, drawn)?.id ?? -1} .marks=${drawing.marks} .found=${found && matchesIn(drawn, found)} .pins=${app.state.browse.body ? kNoPins : step.choice.outputs}
          .theme=${app.state.theme} .label=${label(drawn)}
          @choose=${(event: CustomEvent<ChosenBox>) => choose(app, event.detail)}
          @toggle=${(event: CustomEvent<PictureBox>) => app.picture.toggleGroup(event.detail)}
          @pin=${(event: CustomEvent<PictureBox>) => pin(app, event.detail)}></picture-view>`
          : nothing
      }
    </div>`;
}

// The controls over the picture: its colors, which nodes it shows, and a file of it.
function pictureTools(app: App, step: Step, drawn: DrawnPicture | null) {
  const { view } = app.state;
  const all = (Object.keys(kColorings) as Coloring[]).filter((name) => name !== "change" || step.made);
  return html`
    <div class="picture-tools">
      <label><span class="word">${kPictureWords.color}</span>
        <select aria-label=${kPictureWords.color} @change=${({ target }: Event) => app.picture.changeView({ color: (target as HTMLSelectElement).value as Coloring })}>
          ${all.map((name) => html`<option value=${name} ?selected=${name === view.color}>${kColorings[name]}</option>`)}
        </select></label>
      <label title=${kPictureWords.rawHint}><input type="checkbox" .checked=${view.raw}
        @change=${({ target }: Event) => app.picture.changeView({ raw: (target as HTMLInputElement).checked })}>${kPictureWords.raw}</label>
      ${view.open ? html`<button type="button" class="button small" @click=${() => app.picture.changeView({ open: null })}>${kPictureWords.usual}</button>` : nothing}
      <button type="button" class="button small" ?disabled=${!drawn} @click=${() => drawn && save(step, drawn)}>${kPictureWords.save}</button>
    </div>`;
}

/** The chosen box that is no node of the graph, for the inspector: a group, or a node of a function that is called. */
export function boxCard(app: App, step: Step) {
  const box = chosenPart(app, step);
  if (!box) return nothing;
  return box.kind === "node" ? calledCard(app, box) : groupCard(app, box);
}

function calledCard(app: App, { name, op, detail }: PictureBox) {
  return html`
    <div class="node">
      <div class="node-head"><span class="op">${op}</span></div>
      <h2 id="node-title" class="node-name" tabindex="-1"><code>${name}</code></h2>
      <p class="muted small">${detail ? `${detail}. ` : ""}${kPictureWords.called}</p>
      <div class="node-buttons">
        <button type="button" class="button small" @click=${() => app.browse.goToCalledNode(name)}>${kPictureWords.inFunction}</button>
      </div>
    </div>`;
}

function groupCard(app: App, box: PictureBox) {
  const kind =
    box.kind === "tray" ? kPictureWords.tray : box.kind === "stack" ? kPictureWords.stack : kPictureWords.group;
  return html`
    <div class="node">
      <div class="node-head"><span class="op">${kind}</span></div>
      <h2 id="node-title" class="node-name" tabindex="-1"><code>${box.label}</code></h2>
      <p class="muted small">${counted(box.nodes, "node")}${box.repeats > 1 ? `, ${box.repeats} times the same` : ""}</p>
      <div class="node-buttons">
        <button type="button" class="button small" @click=${() => app.picture.toggleGroup(box)}>${box.open ? kPictureWords.close : kPictureWords.open}</button>
        ${
          box.kind === "group"
            ? html`
          <button type="button" class="button small" @click=${() => listNodes(app, box)}>${kPictureWords.nodesOf}</button>`
            : nothing
        }
      </div>
    </div>`;
}

export function chosenPart(app: App, step: Step): PictureBox | null {
  const { drawing, view, browse } = app.state;
  if (
    browse.node ||
    browse.weight ||
    browse.table !== "picture" ||
    drawing?.step !== step.id ||
    !drawing.layout ||
    !view.chosen
  )
    return null;
  const box = boxOfScope(drawing.layout, view.chosen);
  return box?.kind === "node" && isInGraph(step, browse.body, box.name) ? null : box;
}

// The picture has the nodes of called functions in place of the call.
function isInGraph({ lists }: Step, body: string, name: string): boolean {
  return lists[nodeList(body)]?.nodes?.find(name) !== -1;
}

function listNodes(app: App, box: PictureBox): void {
  app.browse.listNodesOf(scopeOf(box));
  app.set({ pane: "contents" });
  app.focusOn("#contents-title");
}

function chosenBox(app: App, { layout }: DrawnPicture): PictureBox | null {
  const {
    browse: { node },
    view: { chosen },
  } = app.state;
  if (node) return boxOfNode(layout, node.name);
  return chosen ? boxOfScope(layout, chosen) : null;
}

function pin(app: App, { name, label }: PictureBox): void {
  app.choices.toggleOutput(name);
  app.set({
    announcement: `${label}: ${app.step?.choice.outputs.has(name) ? kPictureWords.outputAdded : kPictureWords.outputRemoved}`,
  });
}

function choose(app: App, { box, by }: ChosenBox): void {
  if (by === "enter") app.set({ pane: "inspector" });
  const isNode = box.kind === "node";
  if (!isNode || !isInGraph(app.step!, app.state.browse.body, box.name)) {
    app.browse.showGroup(box.name, `${box.label}, ${isNode ? box.op : counted(box.nodes, "node")}`);
    if (by === "enter") app.focusOn("#node-title");
    return;
  }
  void app.browse.showNode(box.name).then(() => {
    app.set({ announcement: `${box.label}, ${box.op}` });
    if (by === "enter") app.focusOn("#node-title");
  });
}

let last: { layout: object; found: readonly string[]; matches: Matches } | null = null;

// The same object for the same names, so that they are looked for once.
function matchesIn({ layout }: DrawnPicture, found: readonly string[]): Matches {
  if (last?.layout !== layout || last.found !== found) last = { layout, found, matches: matchesOf(layout, found) };
  return last.matches;
}

function label({ layout: { model, view } }: DrawnPicture): string {
  return `${kPictureWords.of} ${view.function || baseName(model)}. ${kPictureWords.howTo}`;
}

const made = new WeakMap<object, DrawnPicture>();

// The same object as long as the layout is, so that it is placed once.
function drawnOf({ svg, layout, step }: Drawing): DrawnPicture | null {
  if (!layout) return null;
  const kept = made.get(layout) ?? { svg, layout, graph: JSON.stringify([step, layout.view.function]) };
  made.set(layout, kept);
  return kept;
}

function save(step: Step, { svg }: DrawnPicture): void {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `${baseName(step.about.model)}.svg` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
