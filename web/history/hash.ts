// Values in the hash of a link: "#recipe=…&view=…", each as JSON in base64 for addresses.

/** Returns a value as a part of a hash. */
export function hashText(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the value of a key; undefined if a hash does not have it, or has no such value. */
export function hashValue(hash: string, key: string): unknown {
  try {
    const text = atob(hashPart(hash, key).replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

/** Returns the text of a key's value; "" if a hash does not have it. */
export function hashPart(hash: string, key: string): string {
  const start = `${key}=`;
  const part = hash
    .replace(/^#/, "")
    .split("&")
    .find((each) => each.startsWith(start));
  return part?.slice(start.length) ?? "";
}

/** Returns a hash of texts by their keys; "" if all are empty. */
export function joinedHash(parts: Readonly<Record<string, string>>): string {
  const all = Object.entries(parts).filter(([, text]) => text);
  return all.length > 0 ? `#${all.map(([key, text]) => `${key}=${text}`).join("&")}` : "";
}
