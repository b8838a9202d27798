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
export const drawn = (page) => page.waitForFunction(() => document.querySelector("picture-view")?.description);
export const layoutOf = (page) => page.evaluate(() => document.querySelector("picture-view").drawn.layout);
export const shows = (page, name) => page.locator("#node-title").getByText(name, { exact: true }).waitFor();

/** A box of the picture by the name of its node or group: its data, its place on the screen, its marks. */
export function box(page, name) {
  return page.evaluate((wanted) => {
    const element = document.querySelector("picture-view");
    const { layout, view, boxes } = element?.description ?? { layout: { boxes: [] } };
    const found = layout.boxes.find((each) => each.name === wanted);
    if (!found) return null;
    const { left, top } = element.getBoundingClientRect();
    const { marks = [], count = 0 } = boxes.find(({ id }) => id === found.id) ?? {};
    const [x, y] = [left + view.x + view.scale * found.x, top + view.y + view.scale * found.y];
    return { ...found, x, y, width: view.scale * found.w, height: view.scale * found.h, marks, count };
  }, name);
}

/** The place of the whole picture on the screen. */
export function wholePicture(page) {
  return page.evaluate(() => {
    const element = document.querySelector("picture-view");
    const { layout, view } = element.description;
    const { left, top } = element.getBoundingClientRect();
    return { x: left + view.x, y: top + view.y, width: view.scale * layout.width, height: view.scale * layout.height };
  });
}

/** The state of the canvas: the marks of boxes and edges, pins. */
export const description = (page) => page.evaluate(() => document.querySelector("picture-view").description);

/** The names of the boxes that have a mark. */
export const marked = async (page, mark) =>
  (await description(page)).boxes.filter(({ marks }) => marks.includes(mark)).map(({ name }) => name);

/** Waits until some box has a mark. */
export const untilMarked = (page, mark) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector("picture-view")?.description?.boxes.some(({ marks }) => marks.includes(wanted)) ?? false,
    mark,
  );

/** The edges that have a mark. */
export const markedEdges = async (page, mark) =>
  (await description(page)).edges.filter(({ marks }) => marks.includes(mark));

/** The color of the canvas at a place of the screen, after the frames that are due: "#rrggbb". */
export function colorAt(page, [x, y]) {
  return page.evaluate(
    async (at) => {
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
      const canvas = document.querySelector("picture-view").shadowRoot.querySelector(".window canvas");
      const { left, top } = canvas.getBoundingClientRect();
      const pixel = [at[0] - left, at[1] - top].map((each) => Math.round(each * devicePixelRatio));
      const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, ...pixel, 1, 1, 0, 0, 1, 1);
      const [r, g, b] = copy.getImageData(0, 0, 1, 1).data;
      return `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, "0")}`;
    },
    [x, y],
  );
}

/** Waits until a box is there and fits. */
export function until(page, name, fits = Boolean) {
  return untilFits(page, () => box(page, name), fits);
}

export const has = (name) => (found) => found?.marks.includes(name);
export const isOpen = (found) => found?.open === true;
export const isClosed = (found) => found?.open === false;
export const middle = ({ x, y, width, height }) => [x + width / 2, y + Math.min(height / 2, 12)];
export const press = async (page, name) => page.mouse.click(...middle(await box(page, name)));
export const pressTwice = async (page, name) => pressTwiceAt(page, middle(await box(page, name)));
export const isAt = (a, b) =>
  assert.ok(Math.abs(a.x - b.x) <= 1 && Math.abs(a.y - b.y) <= 1, `(${a.x}, ${a.y}) and (${b.x}, ${b.y})`);
