const kChosen = '[role="tab"][aria-selected="true"], [aria-current="step"], .model-tabs [aria-current="true"]';
let shown: readonly string[] = [];
let waits = false;

/**
 * Scrolls a row that is longer than its place to the item chosen last, before the next frame: places are measured once
 * for all changes until then. A person's own scrolling is kept.
 */
export function scrollSelectedIntoView(root: HTMLElement): void {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    scrollChosen(root);
  });
}

function scrollChosen(root: HTMLElement): void {
  const chosen = Array.from(root.querySelectorAll<HTMLElement>(kChosen));
  for (const each of chosen)
    if (!shown.includes(each.textContent))
      scrollTo(each, each.closest<HTMLElement>('[role="tablist"], .steps, .model-tabs')!);
  shown = chosen.map(({ textContent }) => textContent);
}

function scrollTo(chosen: HTMLElement, row: HTMLElement): void {
  const [it, place] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += Math.min(0, it.left - place.left) + Math.max(0, it.right - place.right);
}
