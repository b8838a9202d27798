import { html, LitElement, type PropertyValues } from "lit";
import type { PictureBox } from "../engine/engine.js";
import type { Theme } from "../state/state.js";
import { kPictureWords } from "../words/picture.js";
import { boxNamed, firstBox, neighbour, type Direction, type DrawnPicture, type Matches } from "./drawn.js";
import { Gestures, placeIn } from "./gestures.js";
import { kPictureStyle } from "./picture_style.js";
import { Minimap } from "./minimap.js";
import type { BoxPins, Pin } from "./pins.js";
import { kSelectionKeys } from "./selection_keys.js";
import { snapshotOf, type Snapshot } from "./snapshot.js";
import { Stage, type LegendRow } from "./stage.js";
import {
  centered,
  fittedOn,
  panned,
  revealing,
  seen,
  started,
  zoomed,
  type Rect,
  type Seen,
  type Size,
  type Viewport,
} from "./viewport.js";

/** A chosen box, and how it was chosen: an arrow key moved to it, a click, or the Enter key. */
export interface ChosenBox {
  box: PictureBox;
  by: "arrow" | "click" | "enter";
}

const kStep = 80; // pixels that a key moves
const kClosing = 1.25;
const kTwice = 400; // milliseconds between two presses that are one double press
const kPlaces = new WeakMap<DrawnPicture, Viewport>(); // of pictures that were shown before

/**
 * A picture in a window that is zoomed and moved with wheel, fingers, mouse and keys. Fires "choose" with a ChosenBox,
 * "toggle" with a group to be opened or closed, "press" with a key that acts on the selection, and "unpin" with the BoxPins that were
 * clicked.
 */
export class PictureView extends LitElement {
  static override properties = {
    drawn: { attribute: false },
    chosen: { attribute: false },
    marks: { attribute: false },
    found: { attribute: false },
    pins: { attribute: false },
    theme: { attribute: false },
    label: { attribute: false },
    legend: { state: true },
  };

  declare drawn: DrawnPicture | null;
  /** The id of the chosen box; -1: none. */
  declare chosen: number;
  /** The tool's effect on boxes, by id: "added", "removed", "changed", "same". */
  declare marks: readonly string[] | null;
  /** The filter's matches; null: there is no filter. */
  declare found: Matches | null;
  declare pins: readonly Pin[];
  declare theme: Theme;
  declare label: string;
  /** Colors that the picture has: the class that gives one, and its word. */
  declare legend: readonly LegendRow[];

  #view: Viewport = { x: 0, y: 0, scale: 1 };
  #stage = new Stage();
  #minimap = new Minimap((place) => this.#centerOn(place));
  #gestures = new Gestures({
    pan: (dx, dy) => this.#pan(dx, dy),
    zoom: (factor, at) => this.#zoom(factor, at),
    click: (event) => this.#click(event),
  });
  #pressed = { box: -1, at: 0 };
  #toggled: { name: string; x: number; y: number } | null = null;
  #shown: DrawnPicture | null = null;
  #own = -1; // the box that was chosen here last
  #size: Size = { width: 0, height: 0 };
  #resized = new ResizeObserver(() => this.#resize());

  constructor() {
    super();
    this.drawn = this.marks = this.found = null;
    this.chosen = -1;
    this.pins = [];
    this.theme = "system";
    this.label = "";
    this.legend = [];
  }

  static override styles = kPictureStyle;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#window && this.#resized.observe(this.#window));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  get #window(): HTMLElement | null {
    return this.renderRoot.querySelector(".window");
  }

  get #place(): HTMLElement | null {
    return this.renderRoot.querySelector(".stage");
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [this.#stage.sheet, ...root.adoptedStyleSheets];
    return root;
  }

  override render() {
    const tool = (key: string, label: string, sign: string) => html`
      <button type="button" aria-label=${label} title="${label} (${key})" @click=${() => this.#act(key)}>${sign}</button>`;
    return html`
      <div class="window" tabindex="0" role="application" aria-label=${this.label} @keydown=${this.#key} @wheel=${this.#wheel}
        @pointerdown=${this.#gestures.press} @pointermove=${this.#gestures.drag} @pointerup=${this.#gestures.release} @pointercancel=${this.#gestures.release}>
        <div class="stage"></div>
      </div>
      <ul class="legend" aria-label=${kPictureWords.legend}>
        ${this.legend.map(({ name, word }) => html`<li><i class=${name}></i>${word}</li>`)}</ul>
      <div class="minimap" aria-hidden="true" hidden @mousedown=${(event: Event) => event.preventDefault()} @pointerdown=${this.#minimap.steer} @pointermove=${this.#minimap.steer}>
        <canvas></canvas><i></i></div>
      <div class="tools">${tool("+", kPictureWords.zoomIn, "+")} ${tool("-", kPictureWords.zoomOut, "−")} ${tool("0", kPictureWords.actual, "1:1")}
        ${tool("f", kPictureWords.fit, "⤢")}</div>`;
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("theme") || changed.has("drawn")) this.#paint(changed.has("drawn"));
    if (["drawn", "marks", "found", "pins", "chosen", "theme"].some((each) => changed.has(each))) this.#decorate();
    if (changed.has("chosen") && !changed.has("drawn") && this.chosen !== this.#own) this.#meet(this.chosen);
  }

  #decorate(): void {
    this.#stage.decorate(this);
    if (!this.drawn) return;
    this.#minimap.draw(this.drawn.layout, (id) => this.#stage.groupOf(id));
    this.#minimap.show(this.#view, this.#size, this.drawn.layout);
  }

  #paint(fresh: boolean): void {
    if (!this.drawn || !this.#place) return;
    this.#minimap.enter(this.renderRoot.querySelector(".minimap")!);
    if (fresh) this.#settle(); // before the svg is there: its texts are laid out for the scale that they are shown at
    this.#stage.paint(this.drawn, this.theme, this.#place);
    this.legend = this.#stage.legend();
  }

  // A picture of the same graph stays where it was, and so does one that was left; another is shown from its start.
  #settle(): void {
    const drawn = this.drawn!;
    if (this.#measure().width === 0) return; // until it is
    const place = this.#placeOf(drawn);
    const same = this.#shown?.graph === drawn.graph;
    this.#shown = drawn;
    this.#toggled = null;
    if (!place) return this.#start();
    this.#show(place);
    if (!same) return this.#meet(this.chosen);
    this.#own = this.chosen;
    if (this.#seen(this.chosen) === "nothing") this.#reveal(this.chosen);
  }

  // The place at which the group that was opened or closed, else the chosen box, else the one in the middle, does not move.
  #placeOf(drawn: DrawnPicture): Viewport | null {
    const kept = kPlaces.get(drawn);
    if (kept || this.#shown?.graph !== drawn.graph) return kept ?? null;
    const fixed = this.#toggled ?? this.#fixed(this.#shown, drawn);
    const box = fixed && boxNamed(drawn.layout, fixed.name);
    if (!box) return null;
    const { scale } = this.#view;
    return { scale, x: fixed.x - scale * box.x, y: fixed.y - scale * box.y };
  }

  #fixed({ layout }: DrawnPicture, { layout: next }: DrawnPicture): { name: string; x: number; y: number } | null {
    const { x, y, scale } = this.#view;
    const names = new Set(next.boxes.map(({ name }) => name));
    const chosen = next.boxes[this.chosen]?.name;
    const far = (box: PictureBox) =>
      Math.hypot(
        x + scale * (box.x + box.w / 2) - this.#size.width / 2,
        y + scale * (box.y + box.h / 2) - this.#size.height / 2,
      );
    const all = layout.boxes.filter(({ name }) => names.has(name));
    const box =
      all.find(({ name }) => name === chosen) ??
      all.reduce<PictureBox | null>((best, each) => (!best || far(each) < far(best) ? each : best), null);
    return box && { name: box.name, x: x + scale * box.x, y: y + scale * box.y };
  }

  // Around the first box, or the chosen one.
  #start(): void {
    const { layout } = this.drawn!;
    const box = firstBox(layout);
    this.#show(started(layout, this.#measure(), box ? box.x + box.w / 2 : layout.width / 2));
    this.#meet(this.chosen);
  }

  // A box that was chosen elsewhere comes to the middle, unless it is seen already.
  #meet(id: number): void {
    const box = this.drawn?.layout.boxes[id];
    this.#own = id;
    if (!box || this.#seen(id) === "all") return;
    this.#show(centered(this.#view, rectOf(box), this.#measure()));
  }

  #seen(id: number): Seen {
    const box = this.drawn?.layout.boxes[id];
    return box ? seen(this.#view, rectOf(box), this.#measure()) : "all";
  }

  #show(view: Viewport): void {
    this.#view = view;
    if (this.drawn) kPlaces.set(this.drawn, view);
    const { x, y, scale } = view;
    if (this.#place) this.#place.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    if (this.drawn) this.#minimap.show(view, this.#size, this.drawn.layout);
  }

  // The size of the window; of one that is hidden, the last one.
  #measure(): Size {
    const { clientWidth: width, clientHeight: height } = this.#window!;
    if (width > 0) this.#size = { width, height };
    return this.#size;
  }

  #resize(): void {
    const before = this.#size;
    const { width, height } = this.#measure();
    if (!this.drawn || width === 0) return;
    if (before.width === 0) this.#settle();
    else
      this.#show({
        ...this.#view,
        x: this.#view.x + (width - before.width) / 2,
        y: this.#view.y + Math.min(0, height - before.height) / 2,
      });
  }

  /** Shows a box, or the whole picture, as large as the window allows, but no larger than it is. */
  fit(box: PictureBox | null): void {
    if (!this.drawn) return;
    const { width, height } = this.drawn.layout;
    const part = box ? rectOf(box) : { x: 0, y: 0, width, height };
    this.#show(fittedOn(part, this.#measure()));
  }

  /** The window's part of the picture, or all of it, for a file. */
  snapshot(part: "view" | "all"): Snapshot | null {
    const svg = this.#place?.querySelector<SVGElement>("svg");
    if (!this.drawn || !svg) return null;
    const { x, y, scale } = this.#view;
    const { width, height } = this.#size;
    const rect =
      part === "view"
        ? { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale }
        : { x: 0, y: 0, width: this.drawn.layout.width, height: this.drawn.layout.height };
    return snapshotOf(this, svg, this.#stage.style, rect, part === "view" ? scale : 1);
  }

  #reveal(id: number): void {
    const box = this.drawn?.layout.boxes[id];
    if (box) this.#show(revealing(this.#view, rectOf(box), this.#measure()));
  }

  #pan(dx: number, dy: number): void {
    if (this.drawn) this.#show(panned(this.#view, dx, dy, this.drawn.layout, this.#size));
  }

  #centerOn({ x, y }: { x: number; y: number }): void {
    const { scale } = this.#view;
    this.#view = { scale, x: this.#size.width / 2 - scale * x, y: this.#size.height / 2 - scale * y };
    this.#pan(0, 0);
  }

  #zoom(factor: number, at = { x: this.#size.width / 2, y: this.#size.height / 2 }): void {
    this.#show(zoomed(this.#view, factor, at));
  }

  #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { deltaX, deltaY, shiftKey } = event;
    if (event.ctrlKey || event.metaKey) this.#zoom(Math.exp(-deltaY / 200), placeIn(this.#window!, event));
    else this.#pan(shiftKey ? -deltaY - deltaX : -deltaX, shiftKey ? 0 : -deltaY);
  };

  #click(event: PointerEvent): void {
    const pins = this.#stage.pinsAt(event);
    if (pins) this.dispatchEvent(new CustomEvent<BoxPins>("unpin", { detail: pins }));
    const box = pins ? null : this.#stage.boxAt(event);
    if (!box) return;
    const twice = this.#pressed.box === box.id && event.timeStamp - this.#pressed.at < kTwice;
    this.#pressed = { box: twice ? -1 : box.id, at: event.timeStamp };
    if (twice) this.#enter(box);
    else this.#choose({ box, by: "click" });
  }

  #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#act(event.key.length === 1 ? event.key.toLowerCase() : event.key)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  #act(key: string): boolean {
    const { drawn } = this;
    const box = drawn?.layout.boxes[this.chosen];
    switch (key) {
      case "+":
      case "=":
        this.#zoom(kClosing);
        return true;
      case "-":
        this.#zoom(1 / kClosing);
        return true;
      case "0":
        this.#zoom(1 / this.#view.scale);
        return true;
      case "f":
        this.fit(null);
        return true;
      case "PageDown":
        this.#pan(0, kStep - this.#size.height);
        return true;
      case "PageUp":
        this.#pan(0, this.#size.height - kStep);
        return true;
      case "ArrowUp":
      case "ArrowDown":
      case "ArrowLeft":
      case "ArrowRight":
        return this.#walk(key);
      case "Enter":
        return this.#enter(box);
      case "Backspace":
        return this.#close(box);
      default:
        if (!kSelectionKeys.has(key)) return false;
        this.dispatchEvent(new CustomEvent("press", { detail: key }));
        return true;
    }
  }

  #walk(to: Direction): boolean {
    const { layout } = this.drawn ?? {};
    if (!layout) return false;
    const from = layout.boxes[this.chosen];
    const box = from ? neighbour(layout, from, to) : firstBox(layout);
    if (box) this.#choose({ box, by: "arrow" });
    return true;
  }

  #enter(box: PictureBox | undefined): boolean {
    if (box?.kind === "node") this.#choose({ box, by: "enter" });
    else if (box) this.#toggle(box);
    return true;
  }

  // The group around a box; of an open group, itself; outside of all groups, the function.
  #close(box: PictureBox | undefined): boolean {
    const group = box?.open ? box : this.drawn?.layout.boxes[box?.parent ?? -1];
    if (group) this.#toggle(group);
    else this.dispatchEvent(new CustomEvent("leave"));
    return true;
  }

  // Marked at once: the inspector takes a moment, and the next key may be faster.
  #choose(detail: ChosenBox): void {
    this.chosen = this.#own = detail.box.id;
    if (detail.by !== "click") this.#reveal(this.chosen);
    this.dispatchEvent(new CustomEvent<ChosenBox>("choose", { detail }));
  }

  #toggle(box: PictureBox): void {
    const { x, y, scale } = this.#view;
    this.#toggled = { name: box.name, x: x + scale * box.x, y: y + scale * box.y };
    this.dispatchEvent(new CustomEvent<PictureBox>("toggle", { detail: box }));
  }
}

function rectOf({ x, y, w, h }: PictureBox): Rect {
  return { x, y, width: w, height: h };
}

customElements.define("picture-view", PictureView);

declare global {
  interface HTMLElementTagNameMap {
    "picture-view": PictureView;
  }
}
