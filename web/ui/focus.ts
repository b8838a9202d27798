/**
 * Moves the focus to new content, for the keyboard and for screen readers. `instead`: gets it if that is in a part that a
 * narrow screen does not show.
 */
export function focusOn(root: HTMLElement, selector: string, instead: string): void {
  const wanted = root.querySelector<HTMLElement>(selector);
  const target = wanted?.checkVisibility() === false ? root.querySelector<HTMLElement>(instead) : wanted;
  if (!target) return;
  target.focus({ preventScroll: true });
  const { top, bottom } = target.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) (target.closest("section") ?? target).scrollIntoView();
  else target.scrollIntoView({ block: "nearest" }); // in the nearest scrollable part
}

/**
 * Keeps the keyboard focus. An element that was disabled while something ran gets it back; for a removed element, the
 * part of the page around it gets the focus. A press on an empty place removes the focus on purpose.
 */
export function keepFocus(root: HTMLElement): void {
  let place: HTMLElement[] = []; // the focused element and its ancestors
  addEventListener("pointerdown", () => (place = []), { capture: true });
  root.addEventListener("focusin", ({ target }) => (place = upwards(target as HTMLElement, root)));
  const again = () => {
    if (document.activeElement === document.body) nearest(place)?.focus({ preventScroll: true });
  };
  // Later: between one place and the next the focus is nowhere, too.
  new MutationObserver(() => setTimeout(again)).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ["disabled"],
  });
}

function upwards(from: HTMLElement, root: HTMLElement): HTMLElement[] {
  const all = [];
  for (let at: HTMLElement | null = from; at && at !== root; at = at.parentElement) all.push(at);
  return all;
}

function nearest([focused, ...around]: readonly HTMLElement[]): HTMLElement | null {
  if (focused?.isConnected) return focused;
  const parts = around.filter((each) => each.isConnected);
  return (
    parts
      .map((each) =>
        each.tabIndex === -1 && each.hasAttribute("tabindex")
          ? each
          : each.querySelector<HTMLElement>('[tabindex="-1"]'),
      )
      .find(Boolean) ?? null
  );
}
