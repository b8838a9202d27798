import { css } from "lit";

/** The style of the view, of the marks on boxes, and of what is over the picture. */
export const kPictureStyle = css`
    :host { display: block; position: relative; height: 100%; overflow: clip; background: var(--card); }
    .window { position: absolute; inset: 0; overflow: clip; cursor: grab; touch-action: none; user-select: none; }
    .window:active { cursor: grabbing; }
    .window:focus-visible { outline: none; }
    .window:focus-visible::after { content: ""; position: absolute; inset: 0; outline: 2px solid var(--accent); outline-offset: -2px; pointer-events: none; }
    .stage { position: absolute; left: 0; top: 0; transform-origin: 0 0; }
    .stage svg { display: block; overflow: visible; --bg: var(--card); --ink: var(--ink-of-page); font-family: var(--sans); }
    .tools { position: absolute; right: 10px; bottom: 10px; display: flex; gap: 4px; }
    .tools button { display: grid; place-items: center; min-width: 32px; height: 32px; padding: 0 5px; border: 1px solid var(--line-strong); border-radius: 8px;
      background: var(--card); color: var(--ink); font: 600 15px var(--sans); cursor: pointer; }
    .tools button:hover { background: var(--hover); }
    .tools button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    .minimap { position: absolute; right: 10px; bottom: 52px; padding: 4px; border: 1px solid var(--line-strong); border-radius: 8px;
      background: color-mix(in srgb, var(--card) 92%, transparent); cursor: grab; touch-action: none; }
    .minimap[hidden] { display: none; }
    .minimap canvas { display: block; }
    .minimap i { position: absolute; left: 4px; top: 4px; border-radius: 2px; outline: 2px solid var(--accent); background: color-mix(in srgb, var(--accent) 14%, transparent); }
    .legend { position: absolute; left: 10px; bottom: 10px; display: flex; flex-wrap: wrap; gap: 2px 12px; max-width: calc(100% - 190px); margin: 0;
      padding: 4px 9px; border: 1px solid var(--line); border-radius: 8px; background: color-mix(in srgb, var(--card) 88%, transparent);
      color: var(--muted); font-size: 0.7667rem; list-style: none; pointer-events: none; }
    .legend li { display: flex; align-items: center; gap: 5px; }
    .legend i { width: 11px; height: 11px; border: 1px solid var(--s, var(--line-strong)); border-radius: 3px; background: var(--c, transparent); }
    g[id] { cursor: pointer; }
    .pinned > rect:last-of-type { stroke: var(--good); stroke-width: 3; }
    .on > rect:last-of-type { stroke: var(--ink); stroke-width: 1.75; }
    .near > rect:last-of-type { stroke: var(--accent); stroke-width: 1.75; }
    .e.traced { stroke: var(--ink); stroke-width: 1.75; }
    .pin text { fill: var(--card); text-anchor: middle; font: 600 11px var(--sans); }
    .pin rect { fill: var(--good); stroke: var(--card); stroke-width: 1.5; }
    .chosen-pin { cursor: pointer; } .chosen-pin:hover rect { fill: var(--bad); }
    .own-pin { pointer-events: none; } .own-pin rect { fill: var(--card); stroke: var(--good); } .own-pin text { fill: var(--good); }
    .e.lit { stroke: var(--accent); stroke-width: 2.5; }
    .would-go, .faded { opacity: 0.28; }
    .match > rect:last-of-type { stroke: var(--ink); stroke-width: 3; } .count { fill: var(--ink); stroke: var(--card); stroke-width: 4; paint-order: stroke; text-anchor: end; font: 600 12px var(--sans); }
    .chosen > rect:last-of-type { stroke: var(--accent); stroke-width: 3; }
    .would-change > rect { stroke: var(--fair); stroke-width: 2.5; stroke-dasharray: 6 3; }
    @media (max-width: 899.9px) { .minimap { display: none; } }
    @media (max-width: 480px) { .legend { display: none; } }
    @media (forced-colors: active) {
      .b, .o { fill: Canvas; stroke: CanvasText; }
      .t, .d, .p, .f, .stub { fill: CanvasText; stroke: none; }
      .e, .tick { stroke: CanvasText; }
      .head, .pin text { fill: CanvasText; }
      .pin rect { fill: Canvas; stroke: CanvasText; } .chosen-pin rect { stroke-width: 3; }
      .chosen > rect:last-of-type, .match > rect:last-of-type, .near > rect:last-of-type, .on > rect:last-of-type, .e.traced, .e.lit { stroke: Highlight; } .count { fill: CanvasText; stroke: Canvas; }
    }`;
