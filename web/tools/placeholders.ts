import type { Shape } from "../engine/engine.js";
import type { Choice } from "../state/state.js";

const kName = /^\s*([^=]*?)\s*=/;

/** Returns a type with its sizes, as the option "placeholder" has them: float32[?,28,28,1]. */
export function typeText(dtype: string, shape: Shape): string {
  return shape === null ? dtype : `${dtype}[${shape.map((size) => (Number(size) < 0 ? "?" : size)).join(",")}]`;
}

/** Returns the type that the field of placeholders has for a node; null if it has none. */
export function placeholderType({ texts }: Choice, name: string): string | null {
  const entry = entriesOf(texts["placeholder"]).find((each) => nameIn(each) === name);
  return entry?.slice(entry.indexOf("=") + 1).trim() ?? null;
}

/** Returns the text of the field of placeholders with another type for a node; null: it keeps its own. */
export function withPlaceholderType({ texts }: Choice, name: string, type: string | null): string {
  const others = entriesOf(texts["placeholder"]).filter((each) => nameIn(each) !== name);
  return (type === null ? others : [...others, `${name}=${type.trim()}`]).join(", ");
}

// Sizes have commas too: only a part with "=" begins an entry.
function entriesOf(text = ""): string[] {
  const entries: string[] = [];
  for (const part of text.split(/[,\n]/)) {
    if (part.includes("=") || entries.length === 0) entries.push(part.trim());
    else entries.push(`${entries.pop()!},${part.trim()}`);
  }
  return entries.filter(Boolean);
}

function nameIn(entry: string): string {
  return kName.exec(entry)?.[1] ?? "";
}
