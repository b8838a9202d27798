import { diagnosticsOf } from "../engine/engine.js";
import type { Model, Picture, PictureBox } from "../engine/engine.js";
import type { Step, View } from "../state/state.js";
import type { Store } from "../state/store.js";
import type { PreviewRunner } from "./preview.js";
import { Tracer } from "./tracer.js";

const kPause = 20; // milliseconds without a change
// Models with more nodes are drawn only on request.
const kMaxNodes = 200_000;

/** Draws the picture when it is shown, and marks on it what the tool would do. */
export class PictureLoader {
  readonly tracer: Tracer;
  #drawing = "";
  #marking = "";
  #asked = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly preview: PreviewRunner,
  ) {
    this.tracer = new Tracer(store);
  }

  /** To be called after every change of the state. */
  update(): void {
    this.tracer.update();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#needAll(), kPause);
  }

  /** Requests the first picture of a step. To be called before the page is rendered: the worker draws meanwhile. */
  begin(): void {
    const { step, state } = this.store;
    if (step && state.drawing?.step !== step.id && state.browse.table === "picture") this.#need(step);
  }

  /** Returns true if the model is drawn only when a person asks for it. */
  isDeferred({ id, about }: Step): boolean {
    return about.nodes > kMaxNodes && !this.#asked.has(id);
  }

  drawDeferred({ id }: Step): void {
    this.#asked.add(id);
    this.update();
  }

  /** Changes the view, and requests its picture at once: a person waits for it. */
  changeView(change: Partial<View>): void {
    this.store.set({ view: { ...this.store.state.view, ...change } });
    const { step, state } = this.store;
    if (step && !state.busy) this.#need(step);
  }

  /** Opens a closed group, or closes an open one. */
  toggleGroup({ name, open }: PictureBox): void {
    const { view, drawing } = this.store.state;
    const shown = view.open ?? drawing?.layout?.view.open ?? [];
    const within = `${name}/`;
    this.changeView({
      open: open ? shown.filter((each) => each !== name && !each.startsWith(within)) : [...shown, name],
    });
  }

  #needAll(): void {
    const { step, state } = this.store;
    if (!step || state.busy || state.browse.table !== "picture" || this.#need(step)) return;
    const key = this.#key(step);
    if (state.drawing?.key !== key) return;
    const marked =
      state.preview?.report && !state.preview.refused && !state.preview.running && !state.result
        ? state.preview.key
        : "";
    if (marked === state.drawing.marked || this.#marking === marked) return;
    if (marked) void this.#mark(step, key, marked);
    else this.store.set({ drawing: { ...state.drawing, marks: null, marked: "" } });
  }

  // Returns false if the picture is there, or there is to be none.
  #need(step: Step): boolean {
    if (step.about.nodes === 0 || this.isDeferred(step)) return false;
    const key = this.#key(step);
    if (this.store.state.drawing?.key === key) return false;
    if (this.#drawing !== key) void this.#draw(step, key);
    return true;
  }

  #key({ id }: Step): string {
    const {
      browse: { body },
      view,
    } = this.store.state;
    return JSON.stringify([id, body, view.open, view.color, view.raw]);
  }

  async #draw(step: Step, key: string): Promise<void> {
    this.#drawing = key;
    const last = this.store.state.drawing?.step === step.id ? this.store.state.drawing : null;
    try {
      const picture = await this.#picture(step, this.#before(step));
      if (this.#key(step) === key && this.store.step?.id === step.id) {
        this.store.set({
          drawing: {
            step: step.id,
            key,
            svg: picture.svg(),
            layout: picture.toJSON(),
            failure: null,
            marks: null,
            marked: "",
          },
        });
      }
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
      this.store.set({
        drawing: {
          step: step.id,
          key,
          svg: last?.svg ?? "",
          layout: last?.layout ?? null,
          failure: diagnosticsOf(error),
          marks: null,
          marked: "",
        },
      });
    } finally {
      if (this.#drawing === key) this.#drawing = "";
    }
  }

  // Boxes that only this model has would go. Colors do not change the layout, so the ids of boxes are the same.
  async #mark(step: Step, key: string, marked: string): Promise<void> {
    this.#marking = marked;
    try {
      const after = this.preview.model(marked);
      const picture = after && (await this.#picture(step, after));
      const { drawing } = this.store.state;
      if (drawing?.key !== key) return;
      this.store.set({
        drawing: { ...drawing, marks: picture?.toJSON().boxes.map(({ color }) => color) ?? null, marked },
      });
    } catch {
      // The preview's model was closed: there will be another one, or none.
    } finally {
      if (this.#marking === marked) this.#marking = "";
    }
  }

  #picture(step: Step, against: Model | null): Promise<Picture> {
    const {
      browse: { body },
      view: { open, color, raw },
    } = this.store.state;
    return step.model.picture({
      ...(open && (open.length > 0 ? { open } : { depth: 0 })),
      ...(color !== "change" && { color }),
      ...(raw && { raw }),
      ...(body && { function: body }),
      ...(against && { against }),
    });
  }

  // The model of the step before, if its difference is what the colors show.
  #before(step: Step): Model | null {
    const { steps, view } = this.store.state;
    if (view.color !== "change") return null;
    return steps[steps.findIndex(({ id }) => id === step.id) - 1]?.model ?? null;
  }
}
