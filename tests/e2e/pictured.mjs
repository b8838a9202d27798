// Helpers for the tests of the picture: boxes by name, and what is done with them.
import assert from "node:assert/strict";
import { calm, give, pressTwice as pressTwiceAt, until as untilFits } from "./browser.mjs";
import { checkpointFiles, sample } from "./support.mjs";

export async function sampleOf(browser, t, options) {
  const page = await browser.page(t, options);
  await give(page, checkpointFiles(sample, "model.ckpt"));
  await calm(page);
  await drawn(page);
  return page;
}

export const view = (page) => page.getByRole("application");
export const keys = async (page, ...all) => {
  for (const key of all) await view(page).press(key);
};
export const drawn = (page) => page.locator("picture-view svg").waitFor();
export const layoutOf = (page) => page.evaluate(() => document.querySelector("picture-view").drawn.layout);
export const shows = (page, name) => page.locator("#node-title").getByText(name, { exact: true }).waitFor();

/** A box of the picture by the name of its node or group: its data, its place on the screen, its classes. */
export function box(page, name) {
  return page.evaluate((wanted) => {
    const { drawn: { layout } = { layout: { boxes: [] } }, shadowRoot } = document.querySelector("picture-view") ?? {};
    const found = layout.boxes.find((each) => each.name === wanted);
    if (!found) return null;
    const group = shadowRoot.querySelector(`#b${found.id}`);
    const { x, y, width, height } = group.querySelector(":scope > rect").getBoundingClientRect();
    return { ...found, x, y, width, height, classes: [...group.classList] };
  }, name);
}

/** Waits until a box is there and fits. */
export function until(page, name, fits = Boolean) {
  return untilFits(page, () => box(page, name), fits);
}

export const has = (name) => (found) => found?.classes.includes(name);
export const isOpen = (found) => found?.open === true;
export const isClosed = (found) => found?.open === false;
export const middle = ({ x, y, width, height }) => [x + width / 2, y + Math.min(height / 2, 12)];
export const press = async (page, name) => page.mouse.click(...middle(await box(page, name)));
export const pressTwice = async (page, name) => pressTwiceAt(page, middle(await box(page, name)));
export const isAt = (a, b) =>
  assert.ok(Math.abs(a.x - b.x) <= 1 && Math.abs(a.y - b.y) <= 1, `(${a.x}, ${a.y}) and (${b.x}, ${b.y})`);
