// Makes the page as one HTML file that works from a disk, by file://: scripts and style inside, allowed by their hashes alone.
import { createHash } from "node:crypto";

/** `html`: the page's index.html; `script` and `style`: what it loads, whole; `icon`: an SVG. */
export function singlePage(html, { script, style, icon }) {
  const safe = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const parts = [
    [/script-src 'self'/, `script-src '${hash(safe)}'`],
    [/style-src 'self'/, `style-src '${hash(style)}'`],
    [/ manifest-src 'self';/, ""],
    [/worker-src 'self' blob:/, "worker-src blob:"],
    [/<link rel="manifest"[^>]*>\n/, ""],
    [
      /<link rel="icon"[^>]*>/,
      `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(icon).toString("base64")}">`,
    ],
    [/<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`],
    [/<script type="module"[^>]*><\/script>\n/, ""],
    [/$/, `<script>${safe}</script>\n`],
  ];
  return parts.reduce((text, [from, to]) => {
    if (!from.test(text)) throw new Error(`index.html has no ${from}`);
    return text.replace(from, () => to);
  }, html);
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
