// Actions on the page, with waits, in any browser of firefox.mjs and webkit.mjs: goto(address); evaluate(function,
// ...values), in the page; click(selector), CSS or XPath, as a mouse does; setFiles(selector, paths);
// download(selector, size): the bytes that a click on it brings; complaints(), of the console and of the policies
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { until } from "./programs.mjs";

const kSettled = 'main[aria-busy="false"]';

/** A button by its words. */
export const button = (words) => `//button[normalize-space()="${words}"]`;

export function give(page, paths) {
  return page.setFiles('input[name="files"]', paths);
}

/** Drops a file. No driver can drag one from outside: the events are made in the page. */
export function drop(page, path) {
  return page.evaluate(
    (name, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt())], name));
      for (const type of ["dragenter", "dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    basename(path),
    readFileSync(path, "base64"),
  );
}

/** Clicks an element once it is there, is enabled, and nothing covers it. */
export async function press(page, selector) {
  await seen(page, selector, { clickable: true });
  await page.click(selector);
}

/** Takes a tool, presses its button and waits until it is done. */
export async function perform(page, tool) {
  await press(page, `#tool-${tool}`);
  await press(page, ".apply");
  await seen(page, `${kSettled} .result-card`);
}

/** Presses a tool's button and Cancel before anything can have been done. */
export async function cancel(page, tool) {
  await press(page, `#tool-${tool}`);
  await seen(page, ".apply", { clickable: true });
  await page.evaluate(() => [".apply", ".working button"].forEach((each) => document.querySelector(each).click()));
}

/** All files offered, downloaded: name -> bytes. */
export async function downloadAll(page) {
  const all = await page.evaluate(() =>
    Array.from(document.querySelectorAll(".downloads li"), (item) => [
      item.querySelector("a").download,
      item.querySelector("file-hash").blob.size,
    ]),
  );
  const files = {};
  for (const [name, size] of all) {
    const link = `a.download[download="${name}"]`;
    await seen(page, link, { clickable: true });
    files[name] = await page.download(link, size);
  }
  return files;
}

/** Waits until it is there; fails at once with what the page says where something could not be done. */
export function seen(page, selector, { clickable = false } = {}) {
  return until(selector, async () => {
    const { found, failure } = await page.evaluate(look, selector, clickable);
    if (!found && failure) throw new Error(failure);
    return found;
  });
}

export const settled = (page) => seen(page, kSettled);

function look(selector, clickable) {
  const found = selector.startsWith("/")
    ? document.evaluate(selector, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue
    : document.querySelector(selector);
  const failure = document.querySelector(".failure")?.textContent;
  if (!found || !clickable) return { found: found !== null, failure };
  found.scrollIntoView({ block: "center", inline: "center" });
  const { left, right, top, bottom } = found.getBoundingClientRect();
  return {
    found: !found.disabled && found.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)),
    failure,
  };
}
