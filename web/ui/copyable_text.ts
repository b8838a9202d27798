import { html } from "lit";

/** A text with a button that copies it. */
export function copyableText(title: string, words: { copy: string; copied: string }, text: string) {
  const copy = async ({ target }: Event) => {
    const button = target as HTMLButtonElement;
    await navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = words.copied;
      },
      () => select(button),
    );
  };
  return html`
    <section class="copied">
      <header><h3>${title}</h3><button type="button" class="button small" aria-label="${words.copy}: ${title}" @click=${copy}>${words.copy}</button></header>
      <pre tabindex="0">${text}</pre>
    </section>`;
}

// Selects the text, for browsers that deny access to the clipboard.
function select(button: HTMLButtonElement): void {
  getSelection()!.selectAllChildren(button.closest("section")!.querySelector("pre")!);
}
