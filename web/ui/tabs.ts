import { html } from "lit";

interface Tab {
  name: string;
  label: unknown;
}

/** A row of tabs over a panel, `ID-panel`: arrow keys go from one to the next. */
export function tabs(id: string, label: string, all: readonly Tab[], chosen: string, choose: (name: string) => void) {
  const key = (event: KeyboardEvent) => {
    const at = all.findIndex(({ name }) => name === chosen);
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = all[(next + all.length) % all.length]!;
    choose(tab.name);
    document.getElementById(`${id}-${tab.name}`)?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} @keydown=${key}>
      ${all.map(
        ({ name, label: text }) => html`
        <button type="button" role="tab" class="tab" id="${id}-${name}" aria-controls="${id}-panel" aria-selected=${name === chosen}
          tabindex=${name === chosen ? 0 : -1} @click=${() => choose(name)}>${text}</button>`,
      )}
    </div>`;
}
