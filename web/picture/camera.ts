import type { PictureBox, PictureLayout } from "../engine/engine.js";
import { firstBox } from "./drawn.js";
import { rectOf, type Place } from "./scene.js";
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

/** The part of a picture that its window shows, and how it moves. */
export class Camera {
  /** The size of the window. */
  size: Size = { width: 0, height: 0 };
  #view: Viewport = { x: 0, y: 0, scale: 1 };

  /** `moved`: called after every move. */
  constructor(private readonly moved: () => void) {}

  get view(): Viewport {
    return this.#view;
  }

  get middle(): Place {
    return { x: this.size.width / 2, y: this.size.height / 2 };
  }

  /** Returns the place of the picture at a place of the window. */
  placeAt({ x, y }: Place): Place {
    const { scale } = this.#view;
    return { x: (x - this.#view.x) / scale, y: (y - this.#view.y) / scale };
  }

  show(view: Viewport): void {
    this.#view = view;
    this.moved();
  }

  /** Shows the start of a picture, around its first box. */
  start(layout: PictureLayout): void {
    const box = firstBox(layout);
    this.show(started(layout, this.size, box ? box.x + box.w / 2 : layout.width / 2));
  }

  /** Shows a part of the picture as large as the window allows, but no larger than it is. */
  fit(part: Rect): void {
    this.show(fittedOn(part, this.size));
  }

  /** Brings a box to the middle, unless it is seen already. */
  meet(box: PictureBox): void {
    if (this.sees(box) !== "all") this.show(centered(this.#view, rectOf(box), this.size));
  }

  reveal(box: PictureBox): void {
    this.show(revealing(this.#view, rectOf(box), this.size));
  }

  sees(box: PictureBox): Seen {
    return seen(this.#view, rectOf(box), this.size);
  }

  pan(dx: number, dy: number, picture: Size): void {
    this.show(panned(this.#view, dx, dy, picture, this.size));
  }

  /** Brings a place of the picture to the middle, as far as the picture reaches. */
  centerOn({ x, y }: Place, picture: Size): void {
    const { scale } = this.#view;
    this.#view = { scale, x: this.middle.x - scale * x, y: this.middle.y - scale * y };
    this.pan(0, 0, picture);
  }

  zoom(factor: number, at: Place): void {
    this.show(zoomed(this.#view, factor, at));
  }

  /** Takes another size of the window. What is in the middle stays there. */
  resize({ width, height }: Size): void {
    const before = this.size;
    this.size = { width, height };
    const { x, y, scale } = this.#view;
    this.show({ scale, x: x + (width - before.width) / 2, y: y + Math.min(0, height - before.height) / 2 });
  }
}
