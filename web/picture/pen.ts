import type { Look, Looks } from "./looks.js";
import type { Rect, Size, Viewport } from "./viewport.js";

/** How much wider than its room a text may be that is drawn narrower instead of cut. */
export const kSqueeze = 1.25;
const kLeastLetters = 3; // of a text that is cut

/** A line of text. Units: CSS pixels of the window. */
export interface Line {
  text: string;
  x: number;
  /** The place of the baseline. */
  y: number;
  room: number;
  /** The factor on the size of the look's font. */
  scale: number;
}

const kWidths = new Map<string, Map<string, number>>(); // of texts, by their font

/** A canvas, the part of the picture that it shows, and looks. */
export class Pen {
  /** Pixels of the canvas for a CSS pixel at zoom 1. */
  readonly #by: number;
  /** The widths of texts in the font of write(): a canvas takes long to state its own. */
  #widths = new Map<string, number>();

  /** `ratio`: pixels of the canvas for a CSS pixel. */
  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly looks: Looks,
    readonly view: Viewport,
    readonly size: Size,
    readonly ratio: number,
  ) {
    this.#by = view.scale * ratio;
  }

  get scale(): number {
    return this.view.scale;
  }

  /** The shown part of the picture. */
  get part(): Rect {
    const { x, y, scale } = this.view;
    return { x: -x / scale, y: -y / scale, width: this.size.width / scale, height: this.size.height / scale };
  }

  /** Returns the pixel of the canvas nearest to a place of the picture. */
  column(x: number): number {
    return Math.round(this.view.x * this.ratio + x * this.#by);
  }

  row(y: number): number {
    return Math.round(this.view.y * this.ratio + y * this.#by);
  }

  /** Returns a part of the window by the place of a part of the picture. */
  onScreen({ x, y, width, height }: Rect): Rect {
    const { scale } = this;
    return { x: this.view.x + scale * x, y: this.view.y + scale * y, width: scale * width, height: scale * height };
  }

  /** Returns a line's width in pixels of the canvas, at least `least` CSS pixels. */
  thickness(width: number, least: number): number {
    return Math.max(least, width * this.scale) * this.ratio;
  }

  /** Sets what strokes have of a look. */
  stroke({ line, dash }: Look, width: number): void {
    this.context.strokeStyle = line;
    this.context.lineWidth = width;
    this.context.setLineDash(dash.map((each) => each * this.scale * this.ratio));
  }

  /** Starts texts of a look. */
  write({ font, fill }: Look, align: "left" | "center" | "right"): void {
    this.context.font = font;
    this.#widths = kWidths.get(font) ?? new Map<string, number>();
    kWidths.set(font, this.#widths);
    this.context.fillStyle = fill;
    this.context.textAlign = align;
  }

  /** Draws a text, cut at its end where there is no room for it. write() has its look. */
  line({ text, x, y, room, scale }: Line): void {
    const shown = this.fitted(text, room / scale);
    if (shown === "") return;
    const by = scale * this.ratio;
    this.context.setTransform(by, 0, 0, by, x * this.ratio, y * this.ratio);
    this.context.fillText(shown, 0, 0, room / scale);
  }

  /** Ends texts. */
  rest(): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.setLineDash([]);
    this.context.globalAlpha = 1;
  }

  /** Returns the width of a text in the font of write(). */
  widthOf(text: string): number {
    let width = this.#widths.get(text);
    if (width === undefined) this.#widths.set(text, (width = this.context.measureText(text).width));
    return width;
  }

  /** Returns as much of a text as has room in the font of write(). */
  fitted(text: string, room: number): string {
    const width = this.widthOf(text);
    if (width <= room * kSqueeze) return text;
    const letters = Math.floor((text.length * (room - this.widthOf("…"))) / width);
    return letters < kLeastLetters ? "" : `${text.slice(0, letters).trimEnd()}…`;
  }
}
