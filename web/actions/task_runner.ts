import { advised } from "../engine/advice.js";
import { diagnosticsOf } from "../engine/engine.js";
import type { CallOptions, Diagnostic } from "../engine/engine.js";
import type { Failure } from "../state/state.js";
import { Store } from "../state/store.js";
import { inPageWords } from "../words/refer.js";
import { kWords } from "../words/words.js";

/** The state with the one task that is worked on at a time: its progress, its end, and its failure. */
export class TaskRunner extends Store {
  cancel(): void {
    this.state.busy?.stop.abort();
  }

  dismissFailure(): void {
    this.set({ failure: null });
  }

  /** Names what the running task does now. */
  progress(doing: string): void {
    if (this.state.busy) this.set({ busy: { ...this.state.busy, doing } });
  }

  /**
   * Ends the task with new content, which is announced. It gets the focus, unless it is in another tab than the current
   * one.
   */
  showResult(selector: string, announcement: string, tab = this.state.tab): void {
    this.set({ announcement, busy: null });
    if (tab === this.state.tab) this.focusOn(selector);
  }

  /**
   * Runs one task at a time: a new one ends the running one. Its result and its failure are those of the tab that it was
   * started in, which another may have replaced on the screen meanwhile. A failure changes nothing else. `title`: of the
   * failure.
   */
  protected async work(doing: string, title: () => string, work: (call: CallOptions) => Promise<void>): Promise<void> {
    this.cancel();
    const stop = new AbortController();
    const { tab } = this.state;
    const mine = () => this.state.busy?.stop === stop;
    const onProgress: CallOptions["onProgress"] = ({ bytes }) => {
      if (mine()) this.set({ busy: { ...this.state.busy!, bytes } });
    };
    this.set({ busy: { tab, doing, bytes: 0, stop }, failure: null, announcement: `${doing}…` });
    try {
      await work({ signal: stop.signal, onProgress });
    } catch (error) {
      if (!mine()) return;
      if (stop.signal.aborted) this.set({ announcement: kWords.cancelled });
      else this.#fail(tab, title(), diagnosticsOf(error));
    } finally {
      if (mine()) this.set({ busy: null });
    }
    if (this.state.failure && tab === this.state.tab) this.focusOn(".failure h2");
  }

  #fail(tab: number, title: string, diagnostics: Diagnostic[]): void {
    const [first] = diagnostics.filter(({ severity }) => severity === "error");
    const has = (...codes: string[]) => diagnostics.some(({ code }) => codes.includes(code));
    const offers: Failure["offers"] = [
      ...(has("several-tag-sets", "no-such-tags") ? (["tags"] as const) : []),
      ...(has("several-models") ? (["models"] as const) : []),
      ...(advised(diagnostics, "or-unchecked").length > 0 ? (["unchecked"] as const) : []),
      ...(advised(diagnostics, "or-salvage").length > 0 ? (["salvage"] as const) : []),
    ];
    const failure: Failure = { title, diagnostics, offers };
    this.setIn(tab, { failure });
    this.set({ announcement: `${title}: ${first ? inPageWords(first).message : ""}` });
  }
}
