import { kPictureStyle } from "./picture_style.js";
import type { Rect } from "./viewport.js";

/** A part of a picture as it is on the page, with its marks, as an svg that needs no page. */
export interface Snapshot {
  svg: SVGElement;
  /** Units: CSS pixels at zoom 1, or of the window. */
  width: number;
  height: number;
  background: string;
}

// The page's values that the style of marks and the picture's own take.
const kValues = ["card", "ink", "accent", "good", "fair", "bad", "sans"];

/**
 * Returns a copy of the svg in `host` that shows `part` of the picture. `style`: the picture's own; `scale`: how large the
 * part is.
 */
export function snapshotOf(host: HTMLElement, svg: SVGElement, style: string, part: Rect, scale: number): Snapshot {
  const computed = getComputedStyle(host);
  const values = kValues.map((name) => `--${name}:${computed.getPropertyValue(`--${name}`)}`);
  const copy = svg.cloneNode(true) as SVGElement;
  copy.setAttribute("viewBox", `${part.x} ${part.y} ${part.width} ${part.height}`);
  const element = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const own = `svg{color-scheme:${computed.colorScheme};${values.join(";")};--bg:var(--card);font-family:var(--sans)}`;
  element.textContent = `${style}${kPictureStyle.cssText}${own}`;
  copy.prepend(element);
  return { svg: copy, width: part.width * scale, height: part.height * scale, background: computed.backgroundColor };
}
