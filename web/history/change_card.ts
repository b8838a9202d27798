import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { DiffReport, InspectReport, TransferReport } from "../engine/engine.js";
import type { Step } from "../state/state.js";
import { bytes, count, counted } from "../ui/format.js";
import { sizeOf } from "../words/files.js";
import { kWords, matches } from "../words/words.js";

const kMaxNames = 3;

/** The changes of the step under the pointer, shown above the list of steps. */
export function changeCard(app: App) {
  const { steps, pointed } = app.state;
  const i = steps.findIndex(({ id }) => id === pointed?.id);
  const [before, step] = [steps[i - 1], steps[i]];
  if (!before || !step) return nothing;
  const rows: [string, unknown][] = [
    ["Nodes", nodes(step)],
    ["Weights", weights(before.about, step.about)],
    ["Values", values(step)],
    ["Size", arrow(bytes(sizeOf(before)), bytes(sizeOf(step)))],
  ];
  return html`
    <div class="change-card" id="change-card" role="tooltip" .style=${`--left: ${pointed!.left}px`}>
      <p><strong>${step.title}</strong> <span class="muted">${kWords.since} “${before.title}”</span></p>
      <dl>${rows.map(([name, content]) => (content === nothing ? nothing : html`<div><dt>${name}</dt><dd>${content}</dd></div>`))}</dl>
    </div>`;
}

function nodes({ change, about }: Step) {
  if (!change) return `${counted(about.nodes, "node")}; ${kWords.comparing}`;
  if (change.equal) return kWords.allTheSame;
  return html`${part("removed", change.removed)} ${part("added", change.added)} ${part("changed", change.changed)} ${functions(change.functions)}`;
}

function part(became: string, places: readonly { name: string }[]) {
  if (places.length === 0) return nothing;
  const rest = places.length - kMaxNames;
  return html`
    <span class="part">${count(places.length)} ${became}
      <small>${places.slice(0, kMaxNames).map(({ name }, i) => html`${i > 0 ? ", " : ""}<code>${name}</code>`)}${rest > 0 ? ` and ${count(rest)} more` : ""}</small></span>`;
}

function functions({ added, removed, changed }: NonNullable<DiffReport["structure"]>["functions"]) {
  const parts = [
    [removed, "removed"],
    [added, "added"],
    [changed, "changed"],
  ] as const;
  const some = parts.filter(([names]) => names.length > 0).map(([names, became]) => `${count(names.length)} ${became}`);
  return some.length ? html`<span class="part">Functions: ${some.join(", ")}</span>` : nothing;
}

function weights(before: InspectReport, now: InspectReport) {
  return html`<span class="part">${amounts(before.variables, now.variables, "variable")}</span>
    <span class="part">${amounts(before.constants, now.constants, "constant")}</span>`;
}

type Amount = InspectReport["constants"];

function amounts(old: Amount, now: Amount, one: string): string {
  const described = (amount: Amount, name: string) => (amount.count === 0 ? name : `${name}, ${bytes(amount.bytes)}`);
  const before = described(old, counted(old.count, one));
  return old.count === now.count && old.bytes === now.bytes
    ? arrow(before, before)
    : `${before} → ${described(now, count(now.count))}`;
}

function values({ made }: Step) {
  return made?.pass === "transfer" ? matches(made.report as TransferReport) : nothing;
}

function arrow(old: string, now: string): string {
  return old === now ? `${now}, unchanged` : `${old} → ${now}`;
}
