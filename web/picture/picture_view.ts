import { html, LitElement, type PropertyValues } from "lit";
import type { PictureBox } from "../engine/engine.js";
import type { Theme } from "../state/state.js";
import { kPictureWords } from "../words/picture.js";
import { anchored, cornerOf, pointOf, sharedAnchor, type Anchor } from "./anchor.js";
import { Camera } from "./camera.js";
import { describe, type Description } from "./description.js";
import { givesWay } from "./detail.js";
import { firstBox, isDirection, neighbour, type Direction, type DrawnPicture, type Matches } from "./drawn.js";
import { Gestures, placeIn } from "./gestures.js";
import { Minimap } from "./minimap.js";
import { kPictureStyle } from "./picture_style.js";
import type { BoxPins, Pin } from "./pins.js";
import { rectOf, type Place } from "./scene.js";
import { kSelectionKeys } from "./selection_keys.js";
import { openedScale, zoomedGroup } from "./semantic_zoom.js";
import { Stage, type LegendRow } from "./stage.js";
import type { Size, Viewport } from "./viewport.js";

/** A chosen box, and how it was chosen: an arrow key moved to it, a click, or the Enter key. */
export interface ChosenBox {
  box: PictureBox;
  by: "arrow" | "click" | "enter";
}

const kStep = 80; // pixels that a key moves
const kClosing = 1.25;
const kTwice = 400; // milliseconds between two presses that are one double press
const kMedia = ["(prefers-color-scheme: dark)", "(forced-colors: active)"];
const kPlaces = new WeakMap<DrawnPicture, Viewport>(); // of pictures that were shown before

/** A group that was opened or closed, until the picture is laid out again. */
interface Toggled {
  box: PictureBox;
  /** The pointer that zoomed at it; null: it keeps its corner and the scale. */
  at: Place | null;
}

/** A part of a picture as it is on the page. Units: CSS pixels. */
export interface Snapshot extends Size {
  draw(ratio: number): HTMLCanvasElement;
}

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

  #camera = new Camera(() => this.#moved());
  #stage = new Stage();
  #minimap = new Minimap((place) => this.drawn && this.#camera.centerOn(place, this.drawn.layout));
  #gestures = new Gestures({
    pan: (dx, dy) => this.#pan(dx, dy),
    zoom: (factor, at) => this.#zoom(factor, at),
    click: (event) => this.#click(event),
  });
  #pressed = { box: -1, at: 0 };
  #toggled: Toggled | null = null;
  #shown: DrawnPicture | null = null;
  #own = -1; // the box that was chosen here last
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
    for (const query of kMedia) matchMedia(query).addEventListener("change", this.#restyle);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    for (const query of kMedia) matchMedia(query).removeEventListener("change", this.#restyle);
  }

  get #window(): HTMLElement | null {
    return this.renderRoot.querySelector(".window");
  }

  get #canvas(): HTMLCanvasElement {
    return this.renderRoot.querySelector(".window canvas")!;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [this.#stage.sheet, ...root.adoptedStyleSheets];
    return root;
  }

  // The outline and the tables say what the canvas shows.
  override render() {
    const tool = (key: string, label: string, sign: string) => html`
      <button type="button" aria-label=${label} title="${label} (${key})" @click=${() => this.#act(key)}>${sign}</button>`;
    return html`
      <div class="window" tabindex="0" role="application" aria-label=${this.label} @keydown=${this.#key} @wheel=${this.#wheel}
        @pointerdown=${this.#gestures.press} @pointermove=${this.#move} @pointerup=${this.#gestures.release} @pointercancel=${this.#gestures.release}>
        <canvas aria-hidden="true"></canvas>
      </div>
      <div class="inks" hidden><i></i></div>
      <ul class="legend" aria-label=${kPictureWords.legend}>
        ${this.legend.map(({ name, word }) => html`<li><i class=${name}></i>${word}</li>`)}</ul>
      <div class="minimap" aria-hidden="true" hidden @mousedown=${(event: Event) => event.preventDefault()} @pointerdown=${this.#minimap.steer} @pointermove=${this.#minimap.steer}>
        <canvas></canvas><i></i></div>
      <div class="tools">${tool("+", kPictureWords.zoomIn, "+")} ${tool("-", kPictureWords.zoomOut, "−")} ${tool("0", kPictureWords.actual, "1:1")}
        ${tool("f", kPictureWords.fit, "⤢")}</div>`;
  }

  override firstUpdated(): void {
    this.#stage.enter(this.#canvas, this.renderRoot.querySelector(".inks i")!);
    this.#minimap.enter(this.renderRoot.querySelector(".minimap")!);
  }

  override updated(changed: PropertyValues): void {
    const { drawn } = this;
    if (drawn && changed.has("drawn")) this.#stage.show(drawn);
    if (drawn && (changed.has("theme") || changed.has("drawn"))) this.#stage.dress(drawn, this.theme);
    if (drawn && changed.has("drawn")) {
      this.#settle();
      this.legend = this.#stage.legend();
    }
    if (["drawn", "marks", "found", "pins", "chosen", "theme"].some((each) => changed.has(each))) this.#decorate();
    if (changed.has("chosen") && !changed.has("drawn") && this.chosen !== this.#own) this.#meet(this.chosen);
  }

  #decorate(): void {
    this.#stage.decorate(this);
    const { painting, looks } = this.#stage;
    if (!painting) return;
    this.#minimap.draw(painting, looks);
    this.#minimap.show(this.#camera.view, this.#camera.size, painting.scene.layout);
  }

  #restyle = (): void => {
    this.#stage.restyle();
    this.#decorate();
  };

  // A picture of the same graph stays where it was, and so does one that was left; another is shown from its start.
  #settle(): void {
    const drawn = this.drawn!;
    if (this.#measure().width === 0) return; // until it is
    const place = this.#placeOf(drawn);
    const same = this.#shown?.graph === drawn.graph;
    const isZoomed = Boolean(this.#toggled?.at);
    this.#shown = drawn;
    this.#toggled = null;
    if (place) this.#camera.show(place);
    else this.#camera.start(drawn.layout);
    if (!place || !same) return this.#meet(this.chosen);
    const box = this.#box(this.chosen);
    this.#own = this.chosen;
    if (box && !isZoomed && this.#camera.sees(box) === "nothing") this.#camera.reveal(box);
  }

  // The place at which the group that was opened or closed, else the chosen box, else the one in the middle, does not move.
  #placeOf(drawn: DrawnPicture): Viewport | null {
    const kept = kPlaces.get(drawn);
    if (kept || this.#shown?.graph !== drawn.graph) return kept ?? null;
    const { layout } = drawn;
    const anchor = this.#toggledAnchor() ?? this.#sharedAnchor(this.#shown, drawn);
    const opened = this.#toggled?.at && layout.boxes.find(({ name, open }) => open && name === anchor?.name);
    const { view, size } = this.#camera;
    const scale = opened ? Math.min(view.scale, openedScale(opened, size)) : view.scale;
    return anchor && anchored(anchor, layout, scale);
  }

  #toggledAnchor(): Anchor | null {
    if (!this.#toggled) return null;
    const { box, at } = this.#toggled;
    return at ? pointOf(box, this.#camera.view, at) : cornerOf(box, this.#camera.view);
  }

  #sharedAnchor({ layout }: DrawnPicture, { layout: next }: DrawnPicture): Anchor | null {
    return sharedAnchor(layout, next, next.boxes[this.chosen]?.name, this.#camera.view, this.#camera.size);
  }

  // Shows a box that was chosen elsewhere.
  #meet(id: number): void {
    const box = this.#box(id);
    this.#own = id;
    if (box) this.#camera.meet(box);
  }

  #box(id: number): PictureBox | undefined {
    return this.drawn?.layout.boxes[id];
  }

  #moved(): void {
    const { view, size } = this.#camera;
    this.#stage.look(view, size);
    if (!this.drawn) return;
    kPlaces.set(this.drawn, view);
    this.#minimap.show(view, size, this.drawn.layout);
  }

  // The size of the window; of one that is hidden, the last one.
  #measure(): Size {
    const { clientWidth: width, clientHeight: height } = this.#window!;
    if (width > 0) this.#camera.size = { width, height };
    return this.#camera.size;
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#window!;
    if (!this.drawn || width === 0) return;
    if (this.#camera.size.width === 0) this.#settle();
    else this.#camera.resize({ width, height });
  }

  /** Shows a box, or the whole picture, as large as the window allows, but no larger than it is. */
  fit(box: PictureBox | null): void {
    if (!this.drawn) return;
    const { width, height } = this.drawn.layout;
    this.#measure();
    this.#camera.fit(box ? rectOf(box) : { x: 0, y: 0, width, height });
  }

  /** The window's part of the picture, or all of it, for a file. */
  snapshot(part: "view" | "all"): Snapshot | null {
    if (!this.drawn) return null;
    const { view, size } = this.#camera;
    const { width, height } = this.drawn.layout;
    const [shown, of] =
      part === "view"
        ? [view, size]
        : [
            { x: 0, y: 0, scale: 1 },
            { width, height },
          ];
    return { width: of.width, height: of.height, draw: (ratio) => this.#stage.copy(shown, of, ratio) };
  }

  /** Returns the box that an event is on. */
  boxAt(event: MouseEvent): PictureBox | null {
    return this.#stage.boxAt(placeIn(this.#window!, event));
  }

  /** The state of the canvas as data, for those that cannot see it. */
  get description(): Description | null {
    const { painting } = this.#stage;
    return painting && describe(painting, this.#camera.view);
  }

  #pan(dx: number, dy: number): void {
    if (this.drawn) this.#camera.pan(dx, dy, this.drawn.layout);
  }

  // Like a map: a closed group that comes near opens, and an open one that gets far away closes.
  #zoom(factor: number, at = this.#camera.middle): void {
    const place = this.#camera.placeAt(at);
    const { scale } = this.#camera.view;
    this.#camera.zoom(factor, at);
    const { painting } = this.#stage;
    if (!painting || this.#toggled) return;
    const group = zoomedGroup(painting.scene, place, scale, this.#camera.view.scale);
    if (group) this.#toggle(group, at);
  }

  #move = (event: PointerEvent): void => {
    this.#gestures.drag(event);
    if (event.buttons > 0 || event.pointerType === "touch") return;
    const at = placeIn(this.#window!, event);
    this.#canvas.title = this.#stage.hover(at) ?? "";
    this.#canvas.style.cursor = this.#stage.badgeAt(at)?.chosen || this.#stage.boxAt(at) ? "pointer" : "";
  };

  #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { deltaX, deltaY, shiftKey } = event;
    if (event.ctrlKey || event.metaKey) this.#zoom(Math.exp(-deltaY / 200), placeIn(this.#window!, event));
    else this.#pan(shiftKey ? -deltaY - deltaX : -deltaX, shiftKey ? 0 : -deltaY);
  };

  #click(event: PointerEvent): void {
    const badge = this.#stage.badgeAt(placeIn(this.#window!, event));
    if (badge?.chosen) return void this.dispatchEvent(new CustomEvent<BoxPins>("unpin", { detail: badge }));
    const box = this.boxAt(event);
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

  // Returns false for a key that does nothing here.
  #act(key: string): boolean {
    if (isDirection(key)) return this.#walk(key);
    const box = this.#box(this.chosen);
    const page = this.#camera.size.height - kStep;
    const acts: Readonly<Record<string, () => void>> = {
      "+": () => this.#zoom(kClosing),
      "=": () => this.#zoom(kClosing),
      "-": () => this.#zoom(1 / kClosing),
      0: () => this.#zoom(1 / this.#camera.view.scale),
      f: () => this.fit(null),
      PageDown: () => this.#pan(0, -page),
      PageUp: () => this.#pan(0, page),
      Enter: () => box && this.#enter(box),
      Backspace: () => this.#close(box),
    };
    const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
    if (act) act();
    else if (kSelectionKeys.has(key)) this.dispatchEvent(new CustomEvent("press", { detail: key }));
    else return false;
    return true;
  }

  #walk(to: Direction): boolean {
    const { layout } = this.drawn ?? {};
    if (!layout) return false;
    const from = layout.boxes[this.chosen];
    const box = from ? neighbour(layout, from, to) : firstBox(layout);
    if (box) this.#choose({ box, by: "arrow" });
    return true;
  }

  #enter(box: PictureBox): void {
    if (box.kind === "node") this.#choose({ box, by: "enter" });
    else if (givesWay(box, this.#camera.view.scale)) this.fit(box);
    else this.#toggle(box);
  }

  // The group around a box; of an open group, itself; outside of all groups, the function.
  #close(box: PictureBox | undefined): void {
    const group = box?.open ? box : this.drawn?.layout.boxes[box?.parent ?? -1];
    if (group) this.#toggle(group);
    else this.dispatchEvent(new CustomEvent("leave"));
  }

  // Marked at once: the inspector takes a moment, and the next key may be faster.
  #choose(detail: ChosenBox): void {
    this.chosen = this.#own = detail.box.id;
    if (detail.by !== "click") this.#camera.reveal(detail.box);
    this.dispatchEvent(new CustomEvent<ChosenBox>("choose", { detail }));
  }

  #toggle(box: PictureBox, at: Place | null = null): void {
    this.#toggled = { box, at };
    this.dispatchEvent(new CustomEvent<PictureBox>("toggle", { detail: box }));
  }
}

customElements.define("picture-view", PictureView);

declare global {
  interface HTMLElementTagNameMap {
    "picture-view": PictureView;
  }
}
