import { html, nothing, svg } from "lit";
import type { Statistics } from "../app/engine.js";
import { number } from "../words/format.js";

const kWidth = 320;
const kHeight = 72;

/** How the values lie between the least and the most; where zero is among them, it is marked. */
export function histogram({ least, most, histogram: counts }: Statistics) {
  if (least === null || most === null || counts.length < 2) return nothing;
  const top = Math.max(...counts);
  const width = kWidth / counts.length;
  const zero = least < 0 && most > 0 ? (-least / (most - least)) * kWidth : null;
  const label = `Histogram from ${number(least)} to ${number(most)}, the highest bar is ${top}`;
  return html`
    <figure class="histogram">
      <svg viewBox="0 0 ${kWidth} ${kHeight}" role="img" aria-label=${label} preserveAspectRatio="none">
        ${counts.map((amount, i) => {
          const height = amount ? Math.max(1, (amount / top) * kHeight) : 0;
          return svg`<rect x=${i * width} y=${kHeight - height} width=${width * 0.86} height=${height} />`;
        })}
        ${zero === null ? nothing : svg`<line x1=${zero} x2=${zero} y1="0" y2=${kHeight} />`}
      </svg>
      <figcaption><span>${number(least)}</span>${zero === null ? nothing : html`<span class="zero">0</span>`}<span>${number(most)}</span></figcaption>
    </figure>`;
}
