const kChosen = '[role="tab"][aria-selected="true"], [aria-current="step"]';
let shown: readonly string[] = [];

/** In a row that is longer than its place, what was chosen just now is seen. Where a person has scrolled it since, it stays. */
export function showChosen(root: HTMLElement): void {
  const chosen = Array.from(root.querySelectorAll<HTMLElement>(kChosen));
  for (const each of chosen) if (!shown.includes(each.textContent)) scrollTo(each, each.closest<HTMLElement>('[role="tablist"], .steps')!);
  shown = chosen.map(({ textContent }) => textContent);
}

function scrollTo(chosen: HTMLElement, row: HTMLElement): void {
  const [it, place] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += Math.min(0, it.left - place.left) + Math.max(0, it.right - place.right);
}
