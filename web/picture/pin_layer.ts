import type { PictureBox, PictureLayout } from "../engine/engine.js";
import { kPictureWords } from "../words/picture.js";
import type { BoxPins } from "./pins.js";

const kSvg = "http://www.w3.org/2000/svg";
const kHeight = 16;
const kInside = 3; // of the height
const kPadding = 14;
const kLetter = 6.2; // width of a letter

/** The pins at the boxes of an svg: inputs at their upper left corners, outputs at the lower right ones. */
export class PinLayer {
  #layer: Element | null = null;
  #shown: BoxPins[] = [];

  /** Adds the layer to another svg. */
  enter(svg: Element): void {
    this.#layer = svg.appendChild(document.createElementNS(kSvg, "g"));
    this.#shown = [];
  }

  show(placed: BoxPins[], { boxes }: PictureLayout): void {
    this.#shown = placed;
    this.#layer?.replaceChildren(...placed.map((each, i) => pinOf(each, boxes[each.box]!, i)));
  }

  at(event: Event): BoxPins | null {
    const element = event
      .composedPath()
      .find((each): each is SVGElement => each instanceof SVGElement && each.dataset["pin"] !== undefined);
    return element ? this.#shown[Number(element.dataset["pin"])]! : null;
  }
}

function pinOf({ way, pins }: BoxPins, box: PictureBox, place: number): Element {
  const words = way === "output" ? kPictureWords.outputPin : kPictureWords.inputPin;
  const text = pins.length === 1 ? words.one : `${pins.length} ${words.many}`;
  const width = text.length * kLetter + kPadding;
  const [x, y] =
    way === "output" ? [box.x + box.w - width, box.y + box.h - kInside] : [box.x, box.y + kInside - kHeight];
  const chosen = pins.some((pin) => pin.chosen);
  const group = document.createElementNS(kSvg, "g");
  group.classList.add("pin", chosen ? "chosen-pin" : "own-pin");
  if (chosen) group.dataset["pin"] = String(place);
  const hint = !chosen
    ? kPictureWords.ownInput
    : pins.length === 1
      ? kPictureWords.takeOff
      : kPictureWords.openToTakeOff;
  group.append(
    made("title", {}, `${pins.map(({ name }) => name).join("\n")}\n${hint}`),
    made("rect", { x, y, width, height: kHeight, rx: kHeight / 2 }),
    made("text", { x: x + width / 2, y: y + 12 }, text),
  );
  return group;
}

function made(name: string, attributes: Readonly<Record<string, number>>, text = ""): Element {
  const element = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}
