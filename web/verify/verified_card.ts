import { html, nothing } from "lit";
import type {
  ComparedTensor,
  FirstDifference,
  InsteadTensor,
  TensorDifference,
  VerifyReport,
} from "../../wasm/package/entries/page_later.js";
import type { App } from "../actions/app.js";
import type { Step } from "../state/state.js";
import type { Verified } from "../state/verify.js";
import { number } from "../ui/format.js";
import { classList } from "./class_list.js";
import { compared, kAgainst, kVerifyWords, outcome } from "./words.js";

/** The result of running both: the verdict, each output, the first difference, the outputs that could not be run. */
export function verifiedCard(app: App, step: Step, verified: Verified) {
  const { report, against } = verified;
  const { title, tone } = outcome(report);
  const { outputs, instead, firstDifference, uncovered, runner, inputs } = report;
  const isGiven = inputs.some(({ from }) => from !== "random");
  return html`
    <section class="verified ${tone}" aria-labelledby="verified-title">
      <h3 id="verified-title" tabindex="-1">${title}</h3>
      <p class="muted small">Compared with ${against === "other" ? html`<code>${report.other}</code>` : kAgainst[against].name} in ${runner}.
        ${kVerifyWords.runsOn} ${verified.on}.</p>
      ${firstDifference ? first(app, step, firstDifference) : nothing}
      ${table([...outputs, ...instead])}
      ${isGiven ? outputs.map((output) => (output.classes ? classList(app, output, output.classes, verified.labels) : nothing)) : nothing}
      ${uncovered.length > 0 ? notRun(app, step, report) : nothing}
    </section>`;
}

function first(app: App, step: Step, { node, op, otherOp, difference }: FirstDifference) {
  return html`
    <div class="first">
      <h4>${kVerifyWords.first}</h4>
      <p>${nodeButton(app, step, node)} <span class="op">${op}</span>${otherOp ? html` <span class="muted small">other: <code>${otherOp}</code></span>` : nothing}</p>
      <p class="muted small">${kVerifyWords.firstAbout}
        ${difference?.largestAbsolute === undefined ? nothing : html`Largest difference: ${size(difference.largestAbsolute)}.`}</p>
    </div>`;
}

// A button that shows a node in the inspector, if the model has it: a signature's names may exist only in the frozen
// model.
function nodeButton(app: App, step: Step, node: string) {
  const nodes = step.lists["nodes"]?.nodes;
  if (nodes && nodes.find(node) < 0) return html`<code>${node}</code>`;
  const show = () => {
    app.set({ pane: "inspector" });
    void app.browse.showMainNode(node);
  };
  return html`<button type="button" class="link" @click=${show}><code>${node}</code></button>`;
}

function table(outputs: readonly (ComparedTensor & Partial<InsteadTensor>)[]) {
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Outputs compared">
      <table class="converted">
        <thead><tr><th scope="col">Output</th><th scope="col">Result</th><th scope="col">Largest difference</th><th scope="col">Relative</th></tr></thead>
        <tbody>${outputs.map(
          (output) => html`
          <tr><td><code>${output.name}</code>${output.insteadOf ? html` <span class="muted">before ${output.insteadOf}</span>` : nothing}</td>
            <td>${compared(output)}</td><td>${apart(output, "largestAbsolute")}</td><td>${apart(output, "largestRelative")}</td></tr>`,
        )}
        </tbody>
      </table>
    </div>`;
}

function apart({ verdict, difference }: ComparedTensor, which: "largestAbsolute" | "largestRelative"): string {
  if (verdict === "undecided") return "";
  return difference === null ? "0" : size(difference[which]);
}

function size(value: TensorDifference["largestAbsolute"]): string {
  return typeof value === "number" ? number(value) : (value ?? "");
}

function notRun(app: App, step: Step, { verdict, uncovered, missingOps }: VerifyReport) {
  return html`
    <div class="uncovered">
      <h4>${kVerifyWords.uncovered}</h4>
      <ul>${uncovered.map(
        ({ name, why, node }) => html`
        <li class="small"><code>${name}</code>: ${why}${node && node !== name ? html` (${nodeButton(app, step, node)})` : nothing}</li>`,
      )}</ul>
      ${missingOps.length === 0 ? nothing : html`<p class="small">${kVerifyWords.missingOps} ${missingOps.map((op) => html`<code>${op}</code> `)}</p>`}
      ${verdict === "undecided" ? html`<p class="small">${kVerifyWords.next} <code>${kVerifyWords.command}</code></p>` : nothing}
    </div>`;
}
