import { html, LitElement } from "lit";
import { pictureOf } from "./kernel.js";

type Color = [red: number, green: number, blue: number];

/** A weight as a picture: negative, zero and positive numbers by color; a kernel has a tile for each of its planes. */
export class TensorPicture extends LitElement {
  static override properties = { numbers: { attribute: false }, shape: { attribute: false }, theme: {} };

  declare numbers: ArrayLike<number>;
  declare shape: readonly number[];
  declare theme: string;

  constructor() {
    super();
    this.numbers = this.shape = [];
    this.theme = "system";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.#redraw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    matchMedia("(prefers-color-scheme: dark)").removeEventListener("change", this.#redraw);
  }

  readonly #redraw = () => this.requestUpdate();

  override render() {
    const { about } = pictureOf(this.shape);
    return html`<figure class="picture"><canvas role="img" aria-label=${about}></canvas><figcaption class="muted small">${about}</figcaption></figure>`;
  }

  override updated(): void {
    const canvas = this.querySelector("canvas")!;
    const { width, height, at } = pictureOf(this.shape);
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    const image = context.createImageData(width, height);
    const [low, zero, high] = ["--low", "--zero", "--high"].map((name) => this.#color(context, name)) as [
      Color,
      Color,
      Color,
    ];
    const most = largest(this.numbers) || 1;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const place = at(x, y);
        if (place < 0) continue;
        const value = this.numbers[place]! / most;
        paint(image.data, (y * width + x) * 4, value < 0 ? low : high, zero, Math.min(1, Math.abs(value)));
      }
    }
    context.putImageData(image, 0, 0);
  }

  // Parses a color of the style sheet, in any notation.
  #color(context: CanvasRenderingContext2D, name: string): Color {
    context.fillStyle = getComputedStyle(this).getPropertyValue(name);
    context.fillRect(0, 0, 1, 1);
    const { data } = context.getImageData(0, 0, 1, 1);
    return [data[0]!, data[1]!, data[2]!];
  }
}

function paint(pixels: Uint8ClampedArray, to: number, color: Color, zero: Color, share: number): void {
  const strength = Math.sqrt(share) || 0;
  for (let i = 0; i < 3; i++) pixels[to + i] = zero[i]! + (color[i]! - zero[i]!) * strength;
  pixels[to + 3] = 255;
}

function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) {
    const size = Math.abs(numbers[i]!);
    if (size > most && size < Infinity) most = size;
  }
  return most;
}

customElements.define("tensor-picture", TensorPicture);
