import type { CallOptions, Model } from "../engine/engine.js";
import type { Form, Step } from "../state/state.js";
import { openTabs, stepOf } from "../state/tabs.js";
import { optionsOf } from "../tools/options.js";
import { kWords, saved, type FormName } from "../words/words.js";
import type { App } from "./app.js";
import { chooseFolder, writeInto } from "./folder.js";
import { revoke, save, snippetOf, zipped } from "./step.js";

/** Writes the files of results, and of models in other formats. */
export class SaveActions {
  constructor(private readonly app: App) {}

  /** Exports the model in a format; a single file is downloaded at once. */
  save(form: FormName): Promise<void> {
    const { tab, steps } = this.app.state;
    return this.#run(kWords.exporting, async (step, call) => {
      if (step.saved) revoke(step.saved.form);
      this.app.changeStep(step.id, () => ({ saved: null })); // these files are of the previous format
      const files = await save(step, steps[0]!, form, optionsOf("save", step), this.#others(step), call);
      this.app.changeStep(step.id, () => ({ saved: files }));
      this.app.showResult("#save-title", kWords.exported, tab);
      const [file, ...others] = files.form.files;
      if (others.length === 0) download(file!.url);
    });
  }

  /** The files of a form as one .zip. */
  zip(form: Form): Promise<void> {
    const { tab } = this.app.state;
    return this.#run(kWords.zipping, async (step, call) => {
      const zip = await zipped(step, form, call);
      this.#changeForm(step.id, form, { zipped: zip });
      this.app.showResult(`a[href="${zip.url}"]`, kWords.exported, tab);
      download(zip.url);
    });
  }

  /** Shows the lines of a program that loads the files of a form. */
  snippet(form: Form): Promise<void> {
    return this.#run(kWords.exporting, async (step, call) =>
      this.#changeForm(step.id, form, { snippet: await snippetOf(step, form, call) }),
    );
  }

  /** Writes the files of a form into a folder on disk. To be called within the event of the person's action. */
  async inFolder(form: Form): Promise<void> {
    const { step, state } = this.app;
    const choosing = chooseFolder();
    await this.app.run(
      kWords.writing,
      () => kWords.couldNotSave,
      async (call) => {
        const folder = await choosing;
        if (!step || !folder) return;
        await writeInto(folder, form.files, call);
        this.#changeForm(step.id, form, { savedIn: folder.name });
        this.app.setIn(state.tab, { unsaved: false });
        this.app.set({ announcement: saved(form.files.length, folder.name) });
      },
    );
  }

  // The current models of the tabs whose weights are saved, too.
  #others({ choice }: Step): Model[] {
    const chosen = openTabs(this.app.state).filter(({ tab }) => choice.together.has(tab));
    return chosen.map((tab) => stepOf(tab)!.model);
  }

  // Runs a task on the current step.
  #run(doing: string, work: (step: Step, call: CallOptions) => Promise<void>): Promise<void> {
    const { step } = this.app;
    if (!step) return Promise.resolve();
    return this.app.run(
      doing,
      () => kWords.couldNotSave,
      (call) => work(step, call),
    );
  }

  // Changes a form of the result, or of the saved model; the step may have changed meanwhile.
  #changeForm(id: number, old: Form, change: Partial<Form>): void {
    const changed = (form: Form) => (form === old ? { ...form, ...change } : form);
    this.app.changeStep(id, ({ made: result, saved: last }) => ({
      made: result && { ...result, forms: result.forms.map(changed) },
      saved: last && { ...last, form: changed(last.form) },
    }));
  }
}

function download(url: string): void {
  document.querySelector<HTMLElement>(`a[href="${url}"]`)?.click();
}
