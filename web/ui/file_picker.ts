import { html } from "lit";

export interface FilePicker {
  label: string;
  folder: boolean;
  primary: boolean;
  /** The name that keys and tests use for it. */
  name: string;
}

/** A button that opens files or a folder. Its input stays in the page, hidden: tests and assistive tools reach it. */
export function filePicker({ label, folder, primary, name }: FilePicker, open: (files: File[]) => unknown) {
  const choose = (event: Event) => (event.target as HTMLElement).parentElement!.querySelector("input")!.click();
  const take = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    if (input.files?.length) open(Array.from(input.files));
    input.value = ""; // the same files may be given again
  };
  return html`
    <span class="picker">
      <button type="button" class="button ${primary ? "primary" : ""}" data-picker=${name} @click=${choose}>${label}</button>
      <input type="file" name=${name} multiple hidden ?webkitdirectory=${folder} aria-label=${label} @change=${take}>
    </span>`;
}
