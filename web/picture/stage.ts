import type { PictureBox } from "../engine/engine.js";
import type { Theme } from "../state/state.js";
import { kColorWords } from "../words/picture.js";
import type { DrawnPicture, Matches } from "./drawn.js";
import { hintOf } from "./hint.js";
import { Looks } from "./looks.js";
import { Marks } from "./marks.js";
import { paint, type Painting } from "./painting.js";
import { Pen } from "./pen.js";
import { PinBadges, type Badge } from "./pin_badges.js";
import type { Pin } from "./pins.js";
import { Scene, type Place } from "./scene.js";
import type { Size, Viewport } from "./viewport.js";

const kStyle = /<style>([^]*?)<\/style>/;
const kMaxColors = 10;

/** A color of the picture: the class that gives it, and its word. */
export interface LegendRow {
  name: string;
  word: string;
}

/** Marks on boxes, by id. */
export interface Decoration {
  chosen: number;
  pins: readonly Pin[];
  marks: readonly string[] | null;
  /** Null: there is no filter. */
  found: Matches | null;
}

/** A picture on a canvas, drawn again in the frame after a change. */
export class Stage {
  /** The picture's own style: the page's policy takes one from a script alone. */
  readonly sheet = new CSSStyleSheet();
  #looks: Looks | null = null;
  #canvas: HTMLCanvasElement | null = null;
  #painting: Painting | null = null;
  #view: Viewport = { x: 0, y: 0, scale: 1 };
  #size: Size = { width: 0, height: 0 };
  #isRequested = false;

  /** `probe`: an element whose computed style gives the looks of classes. */
  enter(canvas: HTMLCanvasElement, probe: HTMLElement): void {
    this.#canvas = canvas;
    this.#looks = new Looks(probe);
  }

  get painting(): Painting | null {
    return this.#painting;
  }

  get looks(): Looks {
    return this.#looks!;
  }

  /** Shows another picture. */
  show({ layout }: DrawnPicture): void {
    const nothing = { chosen: -1, pinned: new Set<number>(), marks: null, found: null };
    const [scene, marks] = [new Scene(layout), new Marks(layout, nothing)];
    this.#painting = { scene, marks, badges: new PinBadges(layout, []), hovered: null };
  }

  /** Takes the colors of a picture's style. Its dark ones follow the page's theme. */
  dress({ svg }: DrawnPicture, theme: Theme): void {
    const [, style = ""] = kStyle.exec(svg) ?? [];
    const dark = { system: "(prefers-color-scheme:dark)", light: "not all", dark: "all" }[theme];
    this.sheet.replaceSync(style.replace("(prefers-color-scheme:dark)", dark).replaceAll("svg{", ".inks{"));
    this.restyle();
  }

  /** Draws again, because style sheets may give other looks. */
  restyle(): void {
    this.#looks?.clear();
    this.#request();
  }

  decorate({ chosen, pins, marks, found }: Decoration): void {
    if (!this.#painting) return;
    const { scene } = this.#painting;
    const badges = new PinBadges(scene.layout, pins);
    const state = { chosen, marks, found, pinned: badges.outputs() };
    this.#painting = { scene, badges, marks: new Marks(scene.layout, state), hovered: null };
    this.#request();
  }

  /** Shows a part of the picture in a window of this size. */
  look(view: Viewport, size: Size): void {
    this.#view = view;
    this.#size = size;
    this.#request();
  }

  /** The colors that the picture has. Groups of equal structure share one that has no word. */
  legend(): LegendRow[] {
    const words = new Map<string, string>();
    for (const { tint, color, open } of this.#painting?.scene.layout.boxes ?? []) {
      if (!open && color && color !== "group" && !color.startsWith("structure"))
        words.set(tint, kColorWords[color] ?? color);
    }
    return [...words].slice(0, kMaxColors).map(([name, word]) => ({ name, word }));
  }

  /** Returns the badge of pins at a place of the window. */
  badgeAt(at: Place): Badge | null {
    return this.#painting?.badges.at(at, this.#view) ?? null;
  }

  /** Returns the innermost box at a place of the window that is seen. */
  boxAt(at: Place): PictureBox | null {
    return this.#painting?.scene.boxAt(this.#placeOf(at), this.#view.scale) ?? null;
  }

  /** Marks what the pointer is on, and returns the words for it. Null: the pointer is on nothing. */
  hover(at: Place): string | null {
    if (!this.#painting) return null;
    const badge = this.badgeAt(at);
    if (badge !== this.#painting.hovered) {
      this.#painting = { ...this.#painting, hovered: badge };
      this.#request();
    }
    return badge?.hint ?? hintOf(this.#painting.scene, this.#placeOf(at), this.#view.scale);
  }

  /** Draws what a window would show on a canvas of its own. `ratio`: pixels for a CSS pixel. */
  copy(view: Viewport, size: Size, ratio: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(size.width * ratio);
    canvas.height = Math.ceil(size.height * ratio);
    this.#paint(canvas, view, size, ratio);
    return canvas;
  }

  #placeOf({ x, y }: Place): Place {
    const { scale } = this.#view;
    return { x: (x - this.#view.x) / scale, y: (y - this.#view.y) / scale };
  }

  #request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame(() => {
      this.#isRequested = false;
      this.#draw();
    });
  }

  #draw(): void {
    const canvas = this.#canvas;
    const { width, height } = this.#size;
    if (!canvas || width === 0) return;
    const pixels = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)] as const;
    if (canvas.width !== pixels[0]) canvas.width = pixels[0];
    if (canvas.height !== pixels[1]) canvas.height = pixels[1];
    this.#paint(canvas, this.#view, this.#size, devicePixelRatio);
  }

  #paint(canvas: HTMLCanvasElement, view: Viewport, size: Size, ratio: number): void {
    const context = canvas.getContext("2d", { alpha: false });
    if (context && this.#painting) paint(new Pen(context, this.looks, view, size, ratio), this.#painting);
  }
}
