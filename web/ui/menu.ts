import { html } from "lit";

/** An entry of a menu. */
interface Item {
  label: string;
  act: () => void;
}

/** A button that shows buttons below it. Escape, a choice, and leaving it with the focus close it. */
export function menu(label: string, items: readonly Item[]) {
  const close = ({ currentTarget }: Event) => {
    (currentTarget as Element).closest("details")!.open = false;
  };
  const leave = (event: FocusEvent) => {
    const { currentTarget, relatedTarget } = event;
    if (relatedTarget && !(currentTarget as Element).contains(relatedTarget as Node)) close(event);
  };
  const key = (event: KeyboardEvent) => {
    const details = event.currentTarget as HTMLDetailsElement;
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation(); // it ends nothing else
    close(event);
    details.querySelector("summary")!.focus();
  };
  const choose = (act: () => void) => (event: Event) => {
    close(event);
    act();
  };
  return html`
    <details class="menu" @focusout=${leave} @keydown=${key}>
      <summary class="button small">${label} <span aria-hidden="true">▾</span></summary>
      <div class="menu-items">${items.map((item) => html`<button type="button" class="button small" @click=${choose(item.act)}>${item.label}</button>`)}</div>
    </details>`;
}
