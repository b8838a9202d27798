import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { Blocker, TextPart } from "../engine/engine.js";
import { nodeLink } from "../findings/diagnostics.js";
import type { Step } from "../state/state.js";
import { count, counted } from "../ui/format.js";
import { loadsIn, spanName, spansOf, type Span } from "../words/compat.js";
import { inPageWords } from "../words/refer.js";
import { kWords, sentence } from "../words/words.js";

const kMax = 10; // causes of a span

/** Which releases of TensorFlow, and TensorFlow.js, load and run the model, and what stops the others. */
export function compatCard(app: App, step: Step) {
  const busy = app.state.busy !== null;
  const { compat } = step;
  if (!compat) {
    return html`
      <section class="compat">
        <p><button type="button" class="button" ?disabled=${busy} @click=${() => app.verbs.compat()}>${kWords.whereItLoads}</button>
          <span class="muted small">${kWords.whereItLoadsAbout}</span></p>
      </section>`;
  }
  return html`
    <section class="compat" aria-labelledby="compat-title">
      <h3 id="compat-title" tabindex="-1">${loadsIn(compat)}</h3>
      <ul class="spans">${spansOf(compat).map((span) => spanItem(app, span))}</ul>
    </section>`;
}

function spanItem(app: App, span: Span) {
  const { loads, runs, blockers, fix, cut, parts } = inPageWords(span.first);
  const state = runs ? "good" : loads ? "fair" : "bad";
  const ops = opsOf(blockers);
  return html`
    <li class=${state}>
      <p><strong>${spanName(span)}</strong> ${runs ? kWords.loadsAndRuns : loads ? kWords.loadsAlone : kWords.doesNotLoad}
        ${ops.length > 0 ? html`<button type="button" class="button small" aria-label="${kWords.markNodes} that stop ${spanName(span)}" @click=${() => app.browse.markNodesOf(ops)}>${kWords.markNodes}</button>` : nothing}</p>
      ${parts?.fix ? fixText(app, span, kWords.whatToDo + sentence(fix!), parts.fix) : nothing}
      ${parts?.cut ? fixText(app, span, kWords.partRuns + cut!, parts.cut) : nothing}
      ${
        blockers.length === 0
          ? nothing
          : html`
        <details class="fold small" ?open=${blockers.length <= 3}>
          <summary>${counted(blockers.length, "cause")}</summary>
          <ul>${blockers.slice(0, kMax).map((each) => cause(app, each, parts?.fix ?? parts?.cut))}
            ${blockers.length > kMax ? html`<li class="muted">… and ${count(blockers.length - kMax)} more</li>` : nothing}</ul>
        </details>`
      }
    </li>`;
}

function fixText(app: App, span: Span, text: string, parts: readonly TextPart[]) {
  return html`<p class="fix small">${text}
    <button type="button" class="button small" aria-label="${kWords.setIt}, for ${spanName(span)}" @click=${() => app.choices.takeFix("freeze", parts)}>${kWords.setIt}</button></p>`;
}

/** The ops of the main graph that stop a target. */
function opsOf(blockers: readonly Blocker[]): string[] {
  return [...new Set(blockers.filter((each) => each.op && !each.function).map((each) => each.op))];
}

/** `whole`: what is to be done for all causes; a part of it is not repeated. */
function cause(app: App, blocker: Blocker, whole: readonly TextPart[] = []) {
  const { node, op, why, fix, parts, function: body = "", count: nodes } = inPageWords(blocker);
  const isSaid = whole.length > 0 && hasOptions(whole, parts?.fix ?? []);
  return html`
    <li>${sentence(why)}${node ? html`: ${nodeLink(node, body, (name, of) => void app.browse.goToNode(name, of))}` : nothing}
      ${op && !body && Number(nodes) > 1 ? html`<button type="button" class="node-link" @click=${() => app.browse.markNodesOf([op])}>${counted(nodes, "node")}, <code>${op}</code></button>` : html`<span class="muted">${op}</span>`}
      ${fix && !isSaid ? html`<span class="fix">${kWords.whatToDo}${sentence(fix)}</span>` : nothing}</li>`;
}

/** Returns true if one text names all options that another names, with the same values. */
function hasOptions(text: readonly TextPart[], other: readonly TextPart[]): boolean {
  const optionsOf = (of: readonly TextPart[]) =>
    of.flatMap((part) => (typeof part === "string" || part.action === "run" ? [] : [JSON.stringify(part)]));
  return optionsOf(other).every((each) => optionsOf(text).includes(each));
}
