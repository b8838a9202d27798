import { html } from "lit";

/** A dialog with a title and a button that closes it. `away`: the button's name. */
export function dialogFrame(title: string, away: string, close: () => void, body: unknown) {
  return html`
    <dialog aria-labelledby="dialog-title">
      <header><h2 id="dialog-title">${title}</h2>
        <button type="button" class="icon" aria-label=${away} @click=${close}>×</button></header>
      ${body}
    </dialog>`;
}

/**
 * Closes the dialog within an element on Escape, or on a press outside of it. Most browsers fire `cancel` first. `close`
 * fires asynchronously: by then the dialog may have been removed or reopened.
 */
export function listenForDialogCloses(root: HTMLElement, close: () => void): void {
  const closed = ({ type, target }: Event) => {
    if (target instanceof HTMLDialogElement && (type === "cancel" || !target.open)) close();
  };
  root.addEventListener("cancel", closed, { capture: true });
  root.addEventListener("close", closed, { capture: true });
  let pressed = false; // outside of the dialog; a text selection may start inside and end outside
  root.addEventListener("pointerdown", (event) => (pressed = isOutside(event)));
  root.addEventListener("click", (event) => {
    if (pressed && isOutside(event)) close();
  });
}

// A dialog's backdrop is its own.
function isOutside({ target, clientX: x, clientY: y }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}
