import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { PictureBox } from "../engine/engine.js";
import { diagnosticList } from "../findings/diagnostics.js";
import { type Coloring, nodeList, type Drawing, type Step } from "../state/state.js";
import { scopeOfGroup } from "../tools/selection.js";
import { counted } from "../ui/format.js";
import { allowTensor, droppedTensor } from "../ui/tensor_drag.js";
import { baseName } from "../words/format.js";
import { kColorings, kPictureWords } from "../words/picture.js";
import { kWords } from "../words/words.js";
import { boxOfNode, boxOfScope, matchesOf, type DrawnPicture, type Matches } from "./drawn.js";
import { saveMenu } from "./picture_files.js";
import "./picture_view.js";
import { pinsOf, takeOff, type BoxPins, type Pin } from "./pins.js";
import { placeBar } from "./place_bar.js";
import type { ChosenBox, PictureView } from "./picture_view.js";
import { pressOnSelection } from "./selection_keys.js";
import { traceButtons, traceWay } from "./trace_buttons.js";

const kNoPins: readonly Pin[] = [];

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
      ${placeBar(app, drawn, drawn && chosenBox(app, drawn))}
      ${drawing.failure ? html`<div class="picture-failure">${diagnosticList(drawing.failure)}</div>` : nothing}
      ${
        drawn
          ? html`
        <picture-view .drawn=${drawn} .chosen=${chosenBox(app, drawn)?.id ?? -1} .marks=${drawing.marks} .found=${marked(app, drawn, found)} .pins=${app.state.browse.body ? kNoPins : pinsOf(step)}
          .theme=${app.state.theme} .label=${label(drawn)}
          @choose=${(event: CustomEvent<ChosenBox>) => choose(app, event.detail)}
          @toggle=${(event: CustomEvent<PictureBox>) => app.picture.toggleGroup(event.detail)}
          @leave=${() => app.state.browse.body && app.browse.enterFunction("")}
          @dragover=${allowTensor} @drop=${(event: DragEvent) => feed(app, step, event)}
          @press=${(event: CustomEvent<string>) => pressOnSelection(app, event.detail)}
          @unpin=${(event: CustomEvent<BoxPins>) => unpin(app, drawn, event.detail)}></picture-view>`
          : nothing
      }
    </div>`;
}

// A tensor of a second model that was dropped on an input of this one feeds it (the tool Edit).
function feed(app: App, step: Step, event: DragEvent): void {
  const tensor = droppedTensor(event);
  if (!tensor) return;
  const name = (event.currentTarget as PictureView).boxAt(event)?.name ?? "";
  const isInput = !app.state.browse.body && step.about.inputs.some((input) => input.name === name);
  if (isInput) app.choices.feed("ours", name, tensor);
  else app.set({ announcement: kWords.notAnInput });
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
      ${drawn ? saveMenu(app, drawn) : nothing}
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
        ${box.kind === "group" ? traceButtons(app) : nothing}
      </div>
      ${box.kind === "group" ? traceWay(app) : nothing}
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
  app.browse.listNodesOf(scopeOfGroup(box.name));
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

// Several pins in a closed group: each can be taken off when the group is open.
function unpin(app: App, { layout }: DrawnPicture, { box, pins }: BoxPins): void {
  if (pins.length > 1) app.picture.toggleGroup(layout.boxes[box]!);
  else takeOff(app, pins[0]!);
}

function choose(app: App, { box, by }: ChosenBox): void {
  if (by === "enter") app.set({ pane: "inspector" });
  const isNode = box.kind === "node";
  const isInIt = isNode && isInGraph(app.step!, app.state.browse.body, box.name);
  app.picture.tracer.walkTo(by !== "arrow" ? "" : isInIt ? box.name : `${scopeOfGroup(box.name)}/`);
  if (!isInIt) {
    app.browse.showGroup(box.name, `${box.label}, ${isNode ? box.op : counted(box.nodes, "node")}`);
    if (by === "enter") app.focusOn("#node-title");
    return;
  }
  void app.browse.showNode(box.name).then(() => {
    app.set({ announcement: `${box.label}, ${box.op}` });
    if (by === "enter") app.focusOn("#node-title");
  });
}

// The nodes that a trace has, that the filter finds, or both.
function marked(app: App, drawn: DrawnPicture, found: readonly string[] | null): Matches | null {
  const { tracer } = app.picture;
  const traced = tracer.current && tracer.traced(tracer.current)?.names;
  if (!traced) return found && matchesIn(drawn, [found]);
  return matchesIn(drawn, found ? [traced, found] : [traced], true);
}

let last: { layout: object; lists: readonly (readonly string[])[]; matches: Matches } | null = null;

// The names that all lists have; the same object for the same lists, so that they are looked for once.
function matchesIn({ layout }: DrawnPicture, lists: readonly (readonly string[])[], connected = false): Matches {
  const same = last?.layout === layout && last.lists.length === lists.length;
  if (!last || !same || !lists.every((list, i) => list === last!.lists[i])) {
    const [names = [], more] = lists;
    const others = more && new Set(more);
    last = {
      layout,
      lists,
      matches: matchesOf(layout, others ? names.filter((name) => others.has(name)) : names, connected),
    };
  }
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
