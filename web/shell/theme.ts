import type { Theme } from "../state/state.js";

// A page of a file may have no storage.
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is forgotten, then.
  }
}

export function storedTheme(): Theme {
  const theme = stored("cryograph-theme");
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Sets the theme; the style sheet reads it from the root's attribute. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  store("cryograph-theme", theme);
}

export function storedLetters(): boolean {
  return stored("cryograph-letters") !== "off";
}

export function storeLetters(on: boolean): void {
  store("cryograph-letters", on ? "on" : "off");
}
