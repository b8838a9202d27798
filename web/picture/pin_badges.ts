import type { PictureLayout } from "../engine/engine.js";
import { kPictureWords } from "../words/picture.js";
import type { Pen } from "./pen.js";
import { placedPins, type BoxPins, type Pin } from "./pins.js";
import type { Place } from "./scene.js";
import type { Rect, Viewport } from "./viewport.js";

// Units: CSS pixels at zoom 1.
const kHeight = 16;
const kInside = 3; // of the height
const kPadding = 14;
const kLetter = 6.2; // width of a letter
const kBaseline = 12;
const kLeastScale = 0.7; // of badges at any scale

/** The pins of one kind that a box has, as they are shown. */
export interface Badge extends BoxPins {
  text: string;
  /** A click takes the pin off. */
  chosen: boolean;
  /** The pins' names, and what a click does. */
  hint: string;
}

/** Pins at boxes: inputs at their upper left corners, outputs at the lower right ones. */
export class PinBadges {
  readonly all: readonly Badge[];

  constructor(
    private readonly layout: PictureLayout,
    pins: readonly Pin[],
  ) {
    this.all = placedPins(layout, pins).map(badgeOf);
  }

  /** The boxes that have a pin of an output. */
  outputs(): ReadonlySet<number> {
    return new Set(this.all.filter(({ way }) => way === "output").map(({ box }) => box));
  }

  /** Returns the badge at a place of the window that a click takes off, or which names the model's own inputs. */
  at({ x, y }: Place, view: Viewport): Badge | null {
    const holds = (rect: Rect) => x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height;
    return this.all.find((badge) => holds(this.rectOf(badge, view))) ?? null;
  }

  /** Returns a badge's part of the window. */
  rectOf({ way, text, box: id }: Badge, view: Viewport): Rect {
    const box = this.layout.boxes[id]!;
    const by = Math.max(view.scale, kLeastScale);
    const [width, height] = [(text.length * kLetter + kPadding) * by, kHeight * by];
    const isOutput = way === "output";
    const x = view.x + view.scale * (isOutput ? box.x + box.w : box.x) - (isOutput ? width : 0);
    const y = view.y + view.scale * (isOutput ? box.y + box.h : box.y) + (isOutput ? -kInside : kInside - kHeight) * by;
    return { x, y, width, height };
  }

  /** Draws the badges; the one that the pointer is on looks so. */
  paint(pen: Pen, hovered: Badge | null): void {
    const { context, ratio } = pen;
    for (const badge of this.all) {
      const classes = `pin ${badge.chosen ? "chosen-pin" : "own-pin"}${badge === hovered ? " hovered" : ""}`;
      const [plate, word] = [pen.looks.of(`${classes} plate`), pen.looks.of(`${classes} word`)];
      const { x, y, width, height } = this.rectOf(badge, pen.view);
      const by = height / kHeight;
      context.beginPath();
      context.roundRect(x * ratio, y * ratio, width * ratio, height * ratio, (height / 2) * ratio);
      context.fillStyle = plate.fill;
      context.fill();
      pen.stroke(plate, plate.width * by * ratio);
      context.stroke();
      pen.write(word, "center");
      pen.line({ text: badge.text, x: x + width / 2, y: y + kBaseline * by, room: width, scale: by });
      pen.rest();
    }
  }
}

function badgeOf({ box, way, pins }: BoxPins): Badge {
  const words = way === "output" ? kPictureWords.outputPin : kPictureWords.inputPin;
  const text = pins.length === 1 ? words.one : `${pins.length} ${words.many}`;
  const chosen = pins.some((pin) => pin.chosen);
  const action = pins.length === 1 ? kPictureWords.takeOff : kPictureWords.openToTakeOff;
  const hint = `${pins.map(({ name }) => name).join("\n")}\n${chosen ? action : kPictureWords.ownInput}`;
  return { box, way, pins, text, chosen, hint };
}
