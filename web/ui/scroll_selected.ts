const kChosen = '[role="tab"][aria-selected="true"], [aria-current="step"], .model-tabs [aria-current="true"]';
let shown: readonly string[] = [];

/** Scrolls a row that is longer than its place to the item chosen last. A person's own scrolling is kept. */
export function scrollSelectedIntoView(root: HTMLElement): void {
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
