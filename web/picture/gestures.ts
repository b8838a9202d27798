/** The effects of pointers on a picture. */
export interface Gestured {
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: { x: number; y: number }): void;
  /** A press that did not stray. */
  click(event: PointerEvent): void;
}

const kSteady = 5; // pixels that a press may stray

/** A place in the window. Units: CSS pixels. */
export function placeIn(window: Element, { clientX, clientY }: MouseEvent): { x: number; y: number } {
  const { left, top } = window.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** Moves with one pointer, and zooms with two. */
export class Gestures {
  #touches = new Map<number, PointerEvent>();
  #strayed = 0;

  constructor(private readonly on: Gestured) {}

  press = (event: PointerEvent): void => {
    this.#touches.set(event.pointerId, event);
    if (this.#touches.size === 1) this.#strayed = 0;
  };

  drag = (event: PointerEvent): void => {
    const before = this.#touches.get(event.pointerId);
    if (!before) return;
    const window = event.currentTarget as Element;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    this.#strayed += Math.abs(dx) + Math.abs(dy);
    if (this.#strayed > kSteady) window.setPointerCapture(event.pointerId);
    const other = [...this.#touches.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    if (other) {
      const far = (each: PointerEvent) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1;
      const [a, b] = [placeIn(window, event), placeIn(window, other)];
      this.on.zoom(far(event) / far(before), { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    }
    if (this.#strayed > kSteady) this.on.pan(dx / this.#touches.size, dy / this.#touches.size);
    this.#touches.set(event.pointerId, event);
  };

  release = (event: PointerEvent): void => {
    const pressed = this.#touches.delete(event.pointerId);
    if (pressed && event.type !== "pointercancel" && this.#strayed <= kSteady) this.on.click(event);
  };
}
