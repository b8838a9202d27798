import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { DifferingWeight, DiffReport, NodeChange } from "../engine/engine.js";
import { otherSlot } from "../open/other_slot.js";
import type { Step } from "../state/state.js";
import { secondOf } from "../state/tabs.js";
import { fold, nameLink } from "../ui/fold.js";
import { counted, count, number } from "../ui/format.js";
import { textTable, type TextTable } from "../ui/text_table.js";
import { runForm } from "../verify/run_form.js";
import { verifyButton } from "../verify/section.js";
import { verifiedCard } from "../verify/verified_card.js";
import { baseName, shape } from "../words/format.js";
import { differs, kVerbs, kWords } from "../words/words.js";
import { optionFields } from "./option_fields.js";

const kMaxRows = 200;

/** How the model differs from a second one. */
export function comparePanel(app: App, step: Step) {
  const { busy } = app.state;
  const other = secondOf(app.state);
  const verified = step.verified?.against === "other" ? step.verified : null;
  return html`
    <div class="columns">
      <div class="column">
        <p class="about">${kVerbs.diff.about}</p>
        ${otherSlot(app, kWords.compareWith)}
        <div class="buttons">
          <button type="button" class="button primary apply" ?disabled=${busy !== null || !other} @click=${() => app.verbs.apply()}>${kVerbs.diff.label}</button>
          ${verifyButton(app, "other", Boolean(other?.about.nodes && step.about.nodes))}
        </div>
        ${runForm(app, step)}
      </div>
      ${
        step.difference || verified
          ? html`<div class="column broad">${verified ? verifiedCard(app, step, verified) : nothing}
          ${step.difference ? differenceCard(app, step.difference) : nothing}</div>`
          : html`<div class="column">${optionFields(app, step, "diff")}</div>`
      }
    </div>`;
}

function differenceCard(app: App, report: DiffReport) {
  const { equal, structure, weights } = report;
  return html`
    <section class="difference ${equal ? "good" : "fair"}" aria-labelledby="difference-title">
      <h3 id="difference-title" tabindex="-1">${differs(report)}</h3>
      <p class="muted small">A: <code>${baseName(report.model)}</code>, B: <code>${baseName(report.other)}</code></p>
      ${
        structure
          ? html`
        ${fold(
          `${counted(structure.removed.length, "node")} only in A`,
          structure.removed.map(({ name }) => name),
          (node) => void app.browse.goToNode(node),
        )}
        ${fold(
          `${counted(structure.added.length, "node")} only in B`,
          structure.added.map(({ name }) => name),
        )}
        ${changedNodes(app, structure.changed)}`
          : nothing
      }
      <p class="small">${counted(weights.equal.length, "weight")} equal, bit for bit.</p>
      ${differing(weights.differing)}
      ${fold(`${counted(weights.missing.length, "weight")} only in A`, weights.missing)}
      ${fold(`${counted(weights.extra.length, "weight")} only in B`, weights.extra)}
    </section>`;
}

function changedNodes(app: App, nodes: readonly NodeChange[]) {
  if (nodes.length === 0) return nothing;
  const rest = nodes.length - kMaxRows;
  return html`
    <details class="fold small">
      <summary>${counted(nodes.length, "node")} changed</summary>
      <ul class="names">${nodes.slice(0, kMaxRows).map((node) => html`<li>${nameLink(node.name, () => void app.browse.goToNode(node.name, node.function))}: ${changed(node)}</li>`)}
        ${rest > 0 ? html`<li class="muted">… and ${count(rest)} more</li>` : nothing}</ul>
    </details>`;
}

function changed({ op, inputs, attrs, device }: NodeChange): string {
  const what = [
    op ? `${op[0]} → ${op[1]}` : "",
    inputs ? "inputs" : "",
    attrs?.join(", ") ?? "",
    device ? "device" : "",
  ];
  return what.filter(Boolean).join("; ");
}

const differingTables = new WeakMap<readonly DifferingWeight[], TextTable>();

function differing(list: readonly DifferingWeight[]) {
  if (list.length === 0) return nothing;
  const table = differingTables.get(list) ?? {
    title: "Different weights",
    columns: ["Weight", "Different elements", "Largest difference"],
    rows: list.map((each) => [each.name, elements(each), largest(each)]),
  };
  differingTables.set(list, table);
  return textTable(table);
}

function elements({ count: some, elements: all, dtype, shape: size, otherDtype, otherShape }: DifferingWeight): string {
  if (some === undefined) return `${dtype} ${shape(size)} → ${otherDtype ?? dtype} ${shape(otherShape ?? size)}`;
  return `${count(some)} of ${count(all ?? some)}`;
}

function largest({ largestAbsolute: most }: DifferingWeight): string {
  return most === undefined ? "" : typeof most === "number" ? number(most) : most;
}
