import { html, nothing } from "lit";
import type { App } from "../actions/app.js";
import type { InspectReport } from "../engine/engine.js";
import type { Tab } from "../state/state.js";
import { openTabs, stepOf } from "../state/tabs.js";
import { filePicker } from "../ui/file_picker.js";
import { bytes, counted } from "../ui/format.js";
import { kKinds, kWords } from "../words/words.js";

/** The second model of a tool that takes two: another open one, or one of files that are chosen or dropped here. */
export function otherSlot(app: App, title: string) {
  const { tab, other, otherTab } = app.state;
  const tabs = openTabs(app.state).filter((each) => each.tab !== tab);
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    app.drag(false);
    void app.files.openOther(event.dataTransfer.items);
  };
  return html`
    <section class="other" aria-labelledby="other-title" @drop=${drop}>
      <h3 id="other-title" tabindex="-1">${title}</h3>
      ${other ? html`<p><code>${other.about.model}</code></p><p class="muted small">${described(other.about)}</p>` : nothing}
      ${!other && tabs.length === 0 ? html`<p class="muted small">${kWords.otherAbout}</p>` : nothing}
      ${tabs.length > 0 ? tabChoice(app, tabs, otherTab) : nothing}
      <div class="buttons">
        ${tabs.length > 0 ? html`<span class="muted small">${kWords.orOpen}</span>` : nothing}
        ${filePicker({ label: other ? kWords.replace : kWords.openFiles, folder: false, primary: false, name: "other" }, (files) => app.files.openOther(files))}
        ${filePicker({ label: kWords.openFolder, folder: true, primary: false, name: "other-folder" }, (files) => app.files.openOther(files))}
      </div>
    </section>`;
}

function tabChoice(app: App, tabs: readonly Tab[], chosen: number | null) {
  return html`
    <ul class="other-tabs" aria-label=${kWords.openModels}>${tabs.map((each) => {
      const step = stepOf(each)!;
      return html`
        <li><button type="button" class="button" aria-pressed=${each.tab === chosen} @click=${() => app.tabs.useAsSecond(each.tab)}>
          <span><code>${each.name}</code>${step.made ? ` ${step.title}` : ""}</span><small>${described(step.about)}</small></button></li>`;
    })}
    </ul>`;
}

function described({ kind, variables, constants, bytes: size }: InspectReport): string {
  return `${kKinds[kind]}, ${counted(Number(variables.count) + Number(constants.count), "weight")}, ${bytes(size)}`;
}
