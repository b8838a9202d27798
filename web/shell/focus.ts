/**
 * The keyboard's place is kept: what was disabled while something ran has the focus again, and for what is gone the part of the page
 * that it stood in has it. A press on nothing is meant, and leaves the focus nowhere.
 */
export function keepFocus(root: HTMLElement): void {
  let place: HTMLElement[] = [];  // what has the focus, and what that stands in
  addEventListener("pointerdown", () => (place = []), { capture: true });
  root.addEventListener("focusin", ({ target }) => (place = upwards(target as HTMLElement, root)));
  const again = () => {
    if (document.activeElement === document.body) nearest(place)?.focus({ preventScroll: true });
  };
  // Later: between one place and the next the focus is nowhere, too.
  new MutationObserver(() => setTimeout(again)).observe(root, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}

function upwards(from: HTMLElement, root: HTMLElement): HTMLElement[] {
  const all = [];
  for (let at: HTMLElement | null = from; at && at !== root; at = at.parentElement) all.push(at);
  return all;
}

function nearest([focused, ...around]: readonly HTMLElement[]): HTMLElement | null {
  if (focused?.isConnected) return focused;
  const parts = around.filter((each) => each.isConnected);
  return parts.map((each) => (each.tabIndex === -1 && each.hasAttribute("tabindex") ? each : each.querySelector<HTMLElement>('[tabindex="-1"]'))).find(Boolean) ?? null;
}
