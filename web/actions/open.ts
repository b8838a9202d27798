import { collect, openAndRun } from "../engine/engine.js";
import type { Diagnostic, Files, InspectReport, Input, Model } from "../engine/engine.js";
import type { Failure, Step, Tab } from "../state/state.js";
import { openTabs, tabNumbered } from "../state/tabs.js";
import { counted } from "../ui/format.js";
import { baseName } from "../words/format.js";
import { couldNotOpen, kWords } from "../words/words.js";
import type { App } from "./app.js";
import { loadWorkshop } from "./load_workshop.js";
import { belongTo, withMissingFiles } from "./missing_files.js";
import { sampleFiles, sampleNames } from "./samples.js";
import { describingCalls, makeStep } from "./step.js";

/** How files are opened: the tags of a SavedModel, without comparing checksums, one model among several, damaged. */
export interface How {
  tag?: string;
  noChecksum?: boolean;
  path?: string;
  /** Takes what is whole of damaged files. */
  salvage?: boolean;
}

/** Opens models, and parts of them, from files. */
export class OpenActions {
  #tried: Files = {}; // the last files that a person tried to open
  #failed: Failure | null = null; // of the attempt, if it failed

  constructor(private readonly app: App) {}

  /**
   * Opens files in a tab of their own. Parts that an open model lacks are added to it. `into`: the tab whose model they
   * replace. To be called within the event that brought the files: dropped items die with it.
   */
  open(input: Input, how: How = {}, into: number | null = null): Promise<void> {
    const start = performance.now();
    this.#tried = {};
    const collecting = collect(input).then((files) => (this.#tried = files));
    const title = () => couldNotOpen(how.path ?? nameOf(this.#tried));
    const opened = this.app.run(kWords.opening, title, async (call) => {
      const [given] = await Promise.all([collecting, loadWorkshop()]);
      const lacking = into === null ? this.#lacking(given) : null;
      const files = lacking ? withMissingFiles(lacking.files, given) : given;
      this.app.progress(`${kWords.opening} ${nameOf(given)}`);
      const [model, ...results] = await openAndRun(files, { ...how, ...call }, describingCalls());
      const step = called(makeStep(kWords.opened, model, results), files);
      performance.measure("open", { start });
      this.app.tabs.open(step, files, lacking?.tab ?? into);
    });
    return opened.then(() => void (this.#failed = this.app.state.failure));
  }

  /** The files of the shown failure again, opened in another way. */
  again(how: How): Promise<void> {
    const { failure, files } = this.app.state;
    return this.open(failure === this.#failed ? this.#tried : files, how);
  }

  /** The same of damaged files: takes what is whole. */
  async salvage(): Promise<void> {
    await this.again({ salvage: true });
    if (!this.app.state.failure) await this.app.verbs.pass("convert", { salvage: true });
  }

  /** Returns the models that a failure lists, as names of the last files; of an archive, none. */
  modelsOf(diagnostics: readonly Diagnostic[]): string[] {
    const { message } = diagnostics.find(({ code }) => code === "several-models") ?? { message: "" };
    const listed = new Set(message.slice(message.indexOf(": ") + 2).split(/, | and \d+ more$/));
    const names = Object.keys(this.#tried);
    const top = commonFolder(names);
    return names.map((name) => name.slice(top.length)).filter((name) => listed.has(name));
  }

  /** Adds parts that the open model lacks, and opens it again. */
  add(input: Input): Promise<void> {
    const { tab, files } = this.app.state;
    const collecting = collect(input);
    return this.app.run(
      kWords.opening,
      () => kWords.couldNotAdd,
      async () => {
        void this.open(withMissingFiles(files, await collecting), {}, tab);
      },
    );
  }

  openSample(name = sampleNames[0]!): Promise<void> {
    return this.app.run(
      kWords.opening,
      () => kWords.couldNotOpenSample,
      async () => {
        const files = await sampleFiles(name);
        void this.open(files);
      },
    );
  }

  /** The second model, of tools that take two. */
  openOther(input: Input): Promise<void> {
    const { tab: number } = this.app.state;
    const collecting = collect(input);
    let files: Files = {};
    return this.app.run(
      kWords.opening,
      () => couldNotOpen(nameOf(files)),
      async (call) => {
        files = await collecting;
        const [model, about] = (await openAndRun(files, { ...call }, describingCalls())) as [Model, InspectReport];
        const tab = tabNumbered(this.app.state, number);
        if (!tab) return model.close();
        tab.other?.model.close();
        this.app.setIn(number, { other: { model, about }, otherTab: null });
        this.app.showResult("#other-title", about.model, number);
      },
    );
  }

  // The tab whose model lacks these files: the current one first.
  #lacking(files: Files): Tab | null {
    const all = [this.app.state, ...openTabs(this.app.state)];
    return all.find((tab) => belongTo(tab, files)) ?? null;
  }
}

// The name of a file, of the folder of all files, or their number.
function nameOf(files: Files): string {
  const names = Object.keys(files);
  if (names.length === 1) return baseName(names[0]!);
  const folder = commonFolder(names).slice(0, -1);
  const amount = counted(names.length, "file");
  return folder ? `${folder} (${amount})` : names.length > 0 ? amount : kWords.theFiles;
}

function commonFolder(names: readonly string[]): string {
  const top = names[0]?.slice(0, names[0].indexOf("/") + 1) ?? "";
  return names.every((name) => name.startsWith(top)) ? top : "";
}

// The core does not know the folder that contains all files, from which a SavedModel takes its name.
function called(step: Step, files: Files): Step {
  const [, folder] =
    /^(.+)\/saved_model\.pb(?:txt)?$/.exec(Object.keys(files).find((name) => name.endsWith(step.about.model)) ?? "") ??
    [];
  return folder ? { ...step, about: { ...step.about, model: folder } } : step;
}
