import { html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { App } from "../actions/app.js";
import type { Consumer, NodeAttr, NodeInfo, NodeInput, Shape } from "../engine/engine.js";
import { diagnosticList } from "../findings/diagnostics.js";
import { boxCard, chosenPart } from "../picture/picture_pane.js";
import { togglePin } from "../picture/pins.js";
import { traceButtons, traceWay } from "../picture/trace_buttons.js";
import type { Choice, Step } from "../state/state.js";
import { inputNames, isIncomplete } from "../tools/options.js";
import { placeholderType, typeText } from "../tools/placeholders.js";
import { count } from "../ui/format.js";
import { shape } from "../words/format.js";
import { kWords } from "../words/words.js";
import "./weight_view.js";

const kMaxShown = 60;

/** One node or weight: its details, inputs and consumers, as links; and its values. */
export function inspectorPane(app: App, step: Step) {
  const { node, weight, failure } = app.state.browse;
  const key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowLeft" ? -1 : 1;
    if (!event.altKey || (by === 1 && event.key !== "ArrowRight")) return;
    event.preventDefault();
    void app.browse.walk(by);
  };
  return html`
    <section class="pane inspector" data-pane="inspector" aria-label=${kWords.inspector} @keydown=${key}>
      ${failure ? diagnosticList(failure) : nothing}
      ${node ? html`<div class="node">${title(app, node)} ${buttons(app, step, node)} ${traceWay(app)} ${placeholderForm(app, step, node)}</div>` : nothing}
      ${
        weight
          ? html`
        <weight-view .model=${step.model} .weight=${weight} .titled=${node === null} .theme=${app.state.theme}></weight-view>`
          : nothing
      }
      ${node ? around(app, node) : nothing}
      ${boxCard(app, step)}
      ${
        node || weight || failure || chosenPart(app, step)
          ? nothing
          : html`<h2 class="pane-title" tabindex="-1">${kWords.inspector}</h2>
        <p class="muted small">${kWords.chooseRow}</p>`
      }
    </section>`;
}

function around(app: App, node: NodeInfo) {
  return html`
    <div class="node">
      ${neighbours(kWords.fedBy, node.inputs, kWords.noInputs, (each) => input(app, each))}
      ${outputs(node)}
      ${neighbours(kWords.feeds, node.consumers, kWords.noConsumers, (each) => consumer(app, each))}
      ${calls(app, node)}
      ${attributes(node)}
    </div>`;
}

function calls(app: App, { calls: all }: NodeInfo) {
  if (all.length === 0) return nothing;
  return html`
    <div class="neighbours">
      <h3>${kWords.calls}</h3>
      <ul>${all.slice(0, kMaxShown).map(
        (name) => html`
        <li><button type="button" class="neighbour" @click=${() => app.browse.enterFunction(name)}><code>${name}</code></button></li>`,
      )}</ul>
    </div>`;
}

function title(app: App, { name, op, device }: NodeInfo) {
  const { trail, at } = app.state.browse;
  const cut = name.lastIndexOf("/") + 1;
  return html`
    <div class="node-head">
      <span class="op">${op}</span>
      ${
        trail.length > 1
          ? html`
        <span class="walk">
          <button type="button" class="icon" aria-label="Back" ?disabled=${at === 0} @click=${() => app.browse.walk(-1)}>←</button>
          <button type="button" class="icon" aria-label="Forward" ?disabled=${at === trail.length - 1} @click=${() => app.browse.walk(1)}>→</button>
        </span>`
          : nothing
      }
    </div>
    <h2 id="node-title" class="node-name" tabindex="-1"><code><span class="muted">${name.slice(0, cut)}</span>${name.slice(cut)}</code></h2>
    ${device ? html`<p class="muted small"><code>${device}</code></p>` : nothing}`;
}

// Buttons that follow its edges, and that add the node to the outputs or the inputs of the kept graph, and remove it from them.
function buttons(app: App, { choice, about }: Step, { name, outputs: ports }: NodeInfo) {
  if (about.nodes === 0) return nothing;
  return html`<div class="node-buttons">${ports.length > 0 && !app.state.browse.body ? pinButtons(app, choice, name) : nothing} ${traceButtons(app)}</div>`;
}

function pinButtons(app: App, choice: Choice, name: string) {
  const kept = choice.outputs.has(name);
  const isInput = inputNames(choice).includes(name);
  return html`
    <button type="button" class="button small" @click=${() => togglePin(app, "output")}>${kept ? kWords.usedAsOutput : kWords.useAsOutput}</button>
    <button type="button" class="button small" title=${kWords.useAsInputAbout} @click=${() => togglePin(app, "input")}>${isInput ? kWords.usedAsInput : kWords.useAsInput}</button>`;
}

// The type and shape of a placeholder, for the tool Edit.
function placeholderForm(app: App, step: Step, { name, op, outputs: [output] }: NodeInfo) {
  if (!op.startsWith("Placeholder") || !output?.dtype || app.state.browse.body) return nothing;
  const own = typeText(output.dtype, output.shape ?? null);
  const type = placeholderType(step.choice, name);
  const waits = !type || app.state.busy !== null || isIncomplete("edit", step, null);
  // A field that is left empty has its own type again.
  const set = ({ target, type: happened }: Event) => {
    const text = (target as HTMLInputElement).value;
    const isOwn = text.replace(/\s/g, "") === own || (happened === "change" && !text.trim());
    app.choices.setPlaceholder(name, isOwn ? null : text);
  };
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    if (waits) return;
    app.choices.useTool("edit");
    void app.verbs.apply();
  };
  return keyed(
    name,
    html`
    <form class="field placeholder" @submit=${apply}>
      <label for="placeholder-type">${kWords.placeholderType}</label>
      <div class="typed"><input id="placeholder-type" type="text" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="placeholder-hint"
        .value=${type ?? own} @input=${set} @change=${set}>
        <button type="submit" class="button small" ?disabled=${waits}>${kWords.applyEdit}</button></div>
      <p id="placeholder-hint" class="hint">${kWords.placeholderHint}</p>
    </form>`,
  );
}

function neighbours<Each>(name: string, all: readonly Each[], none: string, show: (each: Each) => unknown) {
  return html`
    <div class="neighbours">
      <h3>${name} <span class="amount">${all.length > 1 ? count(all.length) : ""}</span></h3>
      ${all.length === 0 ? html`<p class="muted small">${none}</p>` : html`<ul>${all.slice(0, kMaxShown).map(show)}</ul>`}
      ${all.length > kMaxShown ? html`<p class="muted small">… and ${count(all.length - kMaxShown)} more</p>` : nothing}
    </div>`;
}

function input(app: App, { tensor, node, op, control, dtype, shape: size }: NodeInput) {
  return html`<li>${step(app, node, tensor, op ?? "missing node", control, type(dtype, size))}</li>`;
}

function consumer(app: App, { node, op, input: place, port, control }: Consumer) {
  const detail = `${port > 0 ? `output ${port} ` : ""}as input ${place}`;
  return html`<li>${step(app, node, node, op, control, control ? "" : detail)}</li>`;
}

function step(app: App, to: string | null, label: string, op: string, control: boolean, detail: string) {
  return html`
    <button type="button" class="neighbour ${control ? "control" : ""}" ?disabled=${to === null} @click=${() => to !== null && app.browse.showNode(to, true)}>
      <code>${label}</code>
      <span class="muted">${op}${control ? `, ${kWords.control}` : ""}${detail ? html`<span class="detail">${detail}</span>` : nothing}</span>
    </button>`;
}

function type(dtype?: string | null, size?: Shape): string {
  if (!dtype) return "";
  return size ? `${dtype} ${shape(size)}` : dtype;
}

function outputs({ outputs: all }: NodeInfo) {
  const known = all.filter(({ dtype }) => dtype);
  if (known.length === 0) return nothing;
  return html`
    <ul class="outputs">${known.slice(0, kMaxShown).map(
      ({ port, dtype, shape: size }) => html`
      <li><span class="muted">output ${port}</span> ${dtype} ${size ? shape(size) : ""}</li>`,
    )}</ul>`;
}

function attributes({ attrs }: NodeInfo) {
  if (attrs.length === 0) return nothing;
  return html`
    <h3>${kWords.attributes}</h3>
    <dl class="attrs">${attrs.map((attr) => html`<div><dt>${attr.name}</dt><dd><code>${attrText(attr)}</code></dd></div>`)}</dl>`;
}

function attrText({ kind, value, count: all }: NodeAttr): string {
  if (kind === "tensor") {
    const { dtype, shape: size } = value as { dtype: string; shape: Shape };
    return `${dtype} ${shape(size)}`;
  }
  if (kind === "shape") return shape(value as Shape);
  if (kind === "placeholder") return `$${String(value)}`;
  if (!Array.isArray(value)) return String(value);
  const texts = value.map((each) => (Array.isArray(each) ? shape(each) : String(each)));
  return `[${texts.join(", ")}${all ? `, … ${count(all)} in all` : ""}]`;
}
