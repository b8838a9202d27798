import { css } from "lit";

/** The style of the view, of the marks on boxes, and of what is over the picture. */
export const kPictureStyle = css`
    :host { display: block; position: relative; height: 100%; overflow: clip; background: var(--card); }
    .window { position: absolute; inset: 0; overflow: clip; cursor: grab; touch-action: none; user-select: none; }
    .window:active { cursor: grabbing; }
    .window:focus-visible { outline: none; }
    .window:focus-visible::after { content: ""; position: absolute; inset: 0; outline: 2px solid var(--accent); outline-offset: -2px; pointer-events: none; }
    .window canvas { display: block; width: 100%; height: 100%; }
    .inks { --bg: var(--card); --ink: var(--ink-of-page); font-family: var(--sans); forced-color-adjust: none; }
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
    .ground { fill: var(--card); }
    .mark { stroke: none; }
    .mark.would-change { stroke: var(--fair); stroke-width: 2.5; stroke-dasharray: 6 3; }
    .mark.pinned { stroke: var(--good); stroke-width: 3; }
    .mark.on { stroke: var(--ink); stroke-width: 1.75; }
    .mark.near { stroke: var(--accent); stroke-width: 1.75; }
    .mark.match { stroke: var(--ink); stroke-width: 3; }
    .mark.chosen { stroke: var(--accent); stroke-width: 3; }
    .e.traced { stroke: var(--ink); stroke-width: 1.75; }
    .e.lit { stroke: var(--accent); stroke-width: 2.5; }
    .would-go, .faded { opacity: 0.28; }
    .count { fill: var(--ink); stroke: var(--card); stroke-width: 4; font: 600 12px var(--sans); }
    .pin { fill: var(--card); stroke: var(--good); stroke-width: 1.5; font: 600 11px var(--sans); }
    .chosen-pin.plate { fill: var(--good); stroke: var(--card); } .chosen-pin.hovered.plate { fill: var(--bad); }
    .own-pin.word { fill: var(--good); }
    @media (max-width: 899.9px) { .minimap { display: none; } }
    @media (max-width: 480px) { .legend { display: none; } }
    @media (forced-colors: active) {
      .ground, .b, .o, .f, .count, .pin { fill: Canvas; stroke: CanvasText; }
      .t, .d, .p, .f, .stub, .count, .pin.word { fill: CanvasText; }
      .f, .count { stroke: Canvas; }
      .e, .rule, .tick { stroke: CanvasText; }
      .pin.plate { fill: Canvas; } .chosen-pin { stroke-width: 3; }
      .mark.chosen, .mark.match, .mark.near, .mark.on, .e.traced, .e.lit { stroke: Highlight; }
    }`;
