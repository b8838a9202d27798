/** The look of what is drawn. Units: CSS pixels at zoom 1. */
export interface Look {
  fill: string;
  line: string;
  width: number;
  dash: readonly number[];
  opacity: number;
  font: string;
  /** The height of the font. */
  size: number;
}

/** The looks that style sheets give to classes, for a canvas: so light, dark and forced colors are theirs alone. */
export class Looks {
  readonly #known = new Map<string, Look>();

  /** `probe`: an element that takes the classes in turn. */
  constructor(private readonly probe: HTMLElement) {}

  /** Forgets all, after a change of the theme. */
  clear(): void {
    this.#known.clear();
  }

  /** Returns the look of an element with these classes. */
  of(classes: string): Look {
    let look = this.#known.get(classes);
    if (!look) this.#known.set(classes, (look = this.#read(classes)));
    return look;
  }

  #read(classes: string): Look {
    this.probe.className = classes;
    const style = getComputedStyle(this.probe);
    return {
      fill: style.fill,
      line: style.stroke,
      width: parseFloat(style.strokeWidth),
      dash: style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat),
      opacity: Number(style.opacity) * Number(style.strokeOpacity),
      font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`,
      size: parseFloat(style.fontSize),
    };
  }
}
