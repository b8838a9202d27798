import type { PictureLayout, PictureReport } from "../types/types.js";

/** A picture of a model. */
export class Picture {
  readonly report: PictureReport;
  #layout: string;
  #svg: string;

  /** @internal */
  constructor(report: PictureReport, layout: string, svg: string) {
    this.report = report;
    this.#layout = layout;
    this.#svg = svg;
  }

  /** An SVG file that needs nothing else. */
  svg(): string {
    return this.#svg;
  }

  /** Boxes and edges. */
  toJSON(): PictureLayout {
    return JSON.parse(this.#layout) as PictureLayout;
  }

  /** @internal Its texts, for another thread. */
  texts(): { report: PictureReport; layout: string; svg: string } {
    return { report: this.report, layout: this.#layout, svg: this.#svg };
  }
}
