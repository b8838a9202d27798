import { kFirstRun } from "../verify/state.js";
import { inPageWords } from "../words/refer.js";
import { kWords } from "../words/words.js";
import { CryographError } from "./engine.js";
import type { CallOptions, Diagnostic } from "./engine.js";
import { kNothingLookedAt, kUsualView, type State } from "./state.js";

/** The page's one state, and the one thing that is worked on at a time. */
export class Store {
  state: State = {
    steps: [],
    at: 0,
    files: {},
    previous: null,
    unsaved: false,
    tool: "freeze",
    suggested: true,
    result: false,
    other: null,
    pointed: null,
    preview: null,
    looking: kNothingLookedAt,
    view: kUsualView,
    drawing: null,
    run: kFirstRun,
    pane: "model",
    dialog: null,
    theme: "system",
    letters: true,
    busy: null,
    failure: null,
    dragging: false,
    said: "",
    recipe: [],
    sent: 0,
  };

  /** `changed` renders the state; `arrived` reports new content, by a selector. */
  constructor(
    private readonly changed: () => void,
    readonly arrived: (selector: string) => void,
  ) {}

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }

  cancel(): void {
    this.state.busy?.stop.abort();
  }

  closeDialog(): void {
    this.set({ dialog: null });
  }

  dismiss(): void {
    this.set({ failure: null });
  }

  // Runs one thing at a time: a new one ends the running one. A failure changes nothing.
  protected async work(doing: string, title: () => string, work: (call: CallOptions) => Promise<void>): Promise<void> {
    this.cancel();
    const stop = new AbortController();
    const mine = () => this.state.busy?.stop === stop;
    const onProgress: CallOptions["onProgress"] = ({ bytes }) => {
      if (mine()) this.set({ busy: { ...this.state.busy!, bytes } });
    };
    this.set({ busy: { doing, bytes: 0, stop }, failure: null, said: `${doing}…` });
    try {
      await work({ signal: stop.signal, onProgress });
    } catch (error) {
      if (!mine()) return;
      if (stop.signal.aborted) this.set({ said: kWords.cancelled });
      else this.#fail(title(), diagnosticsOf(error));
    } finally {
      if (mine()) this.set({ busy: null });
    }
    if (this.state.failure) this.arrived(".failure h2");
  }

  /** Names what the running task does now. */
  progress(doing: string): void {
    if (this.state.busy) this.set({ busy: { ...this.state.busy, doing } });
  }

  arrive(selector: string, said: string): void {
    this.set({ said, busy: null });
    this.arrived(selector);
  }

  #fail(title: string, diagnostics: Diagnostic[]): void {
    const [first] = diagnostics.filter(({ severity }) => severity === "error");
    const has = (...codes: string[]) => diagnostics.some(({ code }) => codes.includes(code));
    const offer = has("several-tag-sets", "no-such-tags")
      ? "tags"
      : has("checksum")
        ? "unchecked"
        : has("several-models")
          ? "models"
          : null;
    this.set({ failure: { title, diagnostics, offer }, said: `${title}: ${first ? inPageWords(first).message : ""}` });
  }
}

export function diagnosticsOf(error: unknown): Diagnostic[] {
  if (error instanceof CryographError) return error.diagnostics;
  const message = error instanceof Error ? error.message : String(error);
  return [{ severity: "error", code: "page", where: {}, message, fix: "Please report this.", fixable: false }];
}
