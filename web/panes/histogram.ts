import { html, nothing, svg } from "lit";
import type { Statistics } from "../engine/engine.js";
import { number } from "../ui/format.js";

const kWidth = 320;
const kHeight = 72;
const kRoom = 0.2; // of the width, for the labels of the minimum and the maximum

/** The distribution of the values between the minimum and the maximum, with a line at zero if it is between them. */
export function histogram({ least, most, histogram: counts }: Statistics) {
  if (least === null || most === null || counts.length < 2) return nothing;
  const top = Math.max(...counts);
  const width = kWidth / counts.length;
  const zero = least < 0 && most > 0 ? (-least / (most - least)) * kWidth : null;
  const place = zero === null ? 0 : zero / kWidth;
  const isLabeled = place > kRoom && place < 1 - kRoom;
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
      <figcaption><span>${number(least)}</span>${isLabeled ? html`<span class="zero" .style=${`left: ${100 * place}%`}>0</span>` : nothing}<span>${number(most)}</span></figcaption>
    </figure>`;
}
