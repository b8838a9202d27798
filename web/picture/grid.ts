import type { Rect, Size } from "./viewport.js";

const kPerCell = 6; // rectangles for each cell
const kSmallestCell = 100; // CSS pixels at zoom 1

/** Rectangles by the cells of a uniform grid that they touch. */
export class Grid {
  readonly #cells = new Map<number, number[]>();
  readonly #columns: number;
  readonly #rows: number;
  readonly #side: number;
  readonly #search: Uint32Array; // of each rectangle, the last search that met it
  #searches = 0;

  constructor(
    private readonly rects: readonly Rect[],
    { width, height }: Size,
  ) {
    this.#side = Math.max(kSmallestCell, Math.sqrt((width * height * kPerCell) / Math.max(1, rects.length)));
    this.#columns = Math.max(1, Math.ceil(width / this.#side));
    this.#rows = Math.max(1, Math.ceil(height / this.#side));
    this.#search = new Uint32Array(rects.length);
    for (const [i, rect] of rects.entries()) this.#visit(rect, (cell) => this.#add(cell, i));
  }

  /** Returns the indexes of the rectangles that touch a part of the picture, in ascending order. */
  within(part: Rect): readonly number[] {
    const found: number[] = [];
    const search = ++this.#searches;
    this.#visit(part, (cell) => {
      for (const i of this.#cells.get(cell) ?? []) {
        if (this.#search[i] === search) continue;
        this.#search[i] = search;
        if (touch(this.rects[i]!, part)) found.push(i);
      }
    });
    return Array.from(Uint32Array.from(found).sort()); // faster than sorting numbers of any type
  }

  #add(cell: number, i: number): void {
    const held = this.#cells.get(cell);
    if (held) held.push(i);
    else this.#cells.set(cell, [i]);
  }

  #visit({ x, y, width, height }: Rect, visit: (cell: number) => void): void {
    const [left, right] = this.#span(x, width, this.#columns);
    const [top, bottom] = this.#span(y, height, this.#rows);
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) visit(row * this.#columns + column);
  }

  #span(from: number, length: number, cells: number): [number, number] {
    const cell = (at: number) => Math.min(cells - 1, Math.max(0, Math.floor(at / this.#side)));
    return [cell(from), cell(from + length)];
  }
}

function touch(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
}
