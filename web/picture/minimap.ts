import { placeIn } from "./gestures.js";
import type { Looks } from "./looks.js";
import type { Painting } from "./painting.js";
import type { Size, Viewport } from "./viewport.js";

const kMax = 150; // CSS pixels of the longer side
const kLeast = 14; // of the shorter one
const kFaded = 0.2;

/** The whole picture in a corner of its window, with a frame around the part that the window shows. */
export class Minimap {
  #host: HTMLElement | null = null;
  #scale = { x: 1, y: 1 };

  /** `go`: shows a place of the picture. */
  constructor(private readonly go: (place: { x: number; y: number }) => void) {}

  /** `host`: has a canvas, and the frame. */
  enter(host: HTMLElement): void {
    this.#host = host;
  }

  /** Draws the closed boxes in the colors of their lines. */
  draw({ scene, marks }: Painting, looks: Looks): void {
    const { width, height, boxes } = scene.layout;
    const canvas = this.#host?.querySelector("canvas");
    const context = canvas?.getContext("2d");
    if (!canvas || !context) return;
    const scale = kMax / Math.max(width, height, 1);
    const size = { width: Math.max(kLeast, width * scale), height: Math.max(kLeast, height * scale) };
    this.#scale = { x: size.width / width, y: size.height / height };
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${size.height}px`;
    canvas.width = size.width * devicePixelRatio;
    canvas.height = size.height * devicePixelRatio;
    context.scale(devicePixelRatio * this.#scale.x, devicePixelRatio * this.#scale.y);
    for (const { id, open, tint, x, y, w, h } of boxes) {
      if (open) continue;
      context.fillStyle = looks.of(`b ${tint}`).line;
      context.globalAlpha = marks.ofBox(id).includes("faded") ? kFaded : 1;
      context.fillRect(x, y, w, h);
    }
  }

  /** Shows the map if the picture is larger than its window. */
  show({ x, y, scale }: Viewport, window: Size, picture: Size): void {
    const host = this.#host;
    if (!host) return;
    host.hidden = picture.width * scale <= window.width && picture.height * scale <= window.height;
    const along = (from: number, room: number, length: number, by: number) => {
      const [start, end] = [Math.max(0, -from / scale), Math.min(length, (room - from) / scale)];
      return [start * by, Math.max(0, end - start) * by] as const;
    };
    const [left, width] = along(x, window.width, picture.width, this.#scale.x);
    const [top, height] = along(y, window.height, picture.height, this.#scale.y);
    const frame = host.querySelector("i")!;
    frame.style.transform = `translate(${left}px, ${top}px)`;
    frame.style.width = `${width}px`;
    frame.style.height = `${height}px`;
  }

  /** Handles a pointer that is pressed or dragged on the map. */
  steer = (event: PointerEvent): void => {
    if (event.type === "pointerdown") this.#host!.setPointerCapture(event.pointerId);
    else if (event.buttons === 0) return;
    const { x, y } = placeIn(this.#host!.querySelector("canvas")!, event);
    this.go({ x: x / this.#scale.x, y: y / this.#scale.y });
  };
}
