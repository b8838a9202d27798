// The rules of accessibility that a page breaks: https://github.com/dequelabs/axe-core
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./browser.mjs";

/** The script, to be run before those of the page. */
export const kAxe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

export const kAllRules = {};
/** Rules whose outcome depends on colors and sizes. The others judge elements, their names and their roles. */
export const kRulesOfLook = {
  runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
};

/** Returns the rules that are broken, each with the first elements that break it. */
export function violations(page, rules) {
  return page.evaluate(async (chosen) => {
    const found = await globalThis.axe.run({ preload: false, resultTypes: ["violations"], ...chosen });
    return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)]);
  }, rules);
}
