// The picture of a model: moved and zoomed, in every theme, of hostile names, as a file, of many nodes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calm, give, perform, pressTwice, root } from "./browser.mjs";
import {
  box,
  colorAt,
  drawn,
  has,
  isAt,
  isClosed,
  isOpen,
  keys,
  layoutOf,
  marked,
  middle,
  press,
  sampleOf,
  shows,
  until,
  untilMarked,
  view,
  wholePicture,
} from "./pictured.mjs";
import { chain } from "./protobuf.mjs";
import { native, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");

test("the wheel moves the picture, with Ctrl it zooms around the pointer, and keys do both", async (t) => {
  const page = await sampleOf(browser, t);
  const before = await box(page, "conv1");
  const [x, y] = middle(before);
  await page.mouse.move(x, y);
  await page.mouse.wheel(30, 40);
  isAt(await until(page, "conv1", (found) => found.y !== before.y), { x: before.x - 30, y: before.y - 40 });
  await page.mouse.wheel(-30, -40);
  isAt(await until(page, "conv1", (found) => Math.abs(found.y - before.y) < 0.5), before);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -60);
  await page.keyboard.up("Control");
  const larger = await until(page, "conv1", (found) => found.width > before.width * 1.1);
  const by = larger.width / before.width;
  isAt(larger, { x: x - by * (x - before.x), y: y - by * (y - before.y) });
  await keys(page, "0");
  await until(page, "conv1", (found) => Math.abs(found.width - found.w) < 1);
  await keys(page, "f");
  const window = await view(page).boundingBox();
  const all = await wholePicture(page);
  assert.ok(all.height <= window.height && all.y >= window.y);
});

const zoomBy = async (page, delta) => {
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, delta);
  await page.keyboard.up("Control");
};

test("zooming in on a closed group opens it, zooming out closes it, and what is under the pointer stays there", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/Conv2D");
  await keys(page, "Backspace");
  const closed = await until(page, "conv1", isClosed);
  const [x, y] = [closed.x + closed.width / 4, closed.y + closed.height / 2];
  const part = (found) => [(x - found.x) / found.width, (y - found.y) / found.height];
  const isThere = (found) =>
    part(found).forEach((each, i) => assert.ok(Math.abs(each - [0.25, 0.5][i]) < 0.1, `${each}`)); // a closed box has 40 pixels
  await page.mouse.move(x, y);
  await zoomBy(page, -20);
  isThere(await until(page, "conv1", (found) => found.width > closed.width * 1.05));
  assert.ok(isClosed(await box(page, "conv1")), "not before it is near");
  await zoomBy(page, -200);
  const open = await until(page, "conv1", isOpen);
  isThere(open);
  assert.ok(open.width / open.w >= 0.6 && open.width / open.w <= 1, "it can be read");
  for (let i = 0; i < 20 && isOpen(await box(page, "conv1")); i++) await zoomBy(page, 60);
  isThere(await until(page, "conv1", isClosed));
});

test("a group that is too small looks closed, is chosen as one, and a double press shows its inside", async (t) => {
  const page = await sampleOf(browser, t);
  await keys(page, "f");
  while ((await box(page, "conv2")).height >= 48) await keys(page, "-");
  const [x, y] = middle(await box(page, "conv2/Conv2D"));
  await page.mouse.click(x, y);
  await until(page, "conv2", has("chosen"));
  await keys(page, "Enter");
  const window = await view(page).boundingBox();
  const inside = await until(page, "conv2", (found) => found.height > 40);
  assert.ok(isOpen(inside) && inside.y >= window.y && inside.y + inside.height <= window.y + window.height);
});

test("the picture is moved by dragging, which chooses nothing", async (t) => {
  const page = await sampleOf(browser, t);
  const before = await box(page, "conv1/relu");
  const [x, y] = middle(before);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 25, y - 60, { steps: 4 });
  await page.mouse.up();
  isAt(await box(page, "conv1/relu"), { x: before.x + 25, y: before.y - 60 });
  assert.deepEqual(await marked(page, "chosen"), []);
});

test("on a telephone the picture is what is seen first; a tap chooses, a second one opens, two fingers zoom", async (t) => {
  const page = await sampleOf(browser, t, { viewport: { width: 390, height: 844 }, hasTouch: true });
  assert.equal(await view(page).isVisible(), true);
  await page.evaluate(() =>
    document.querySelector("picture-view").shadowRoot.querySelector('button[title^="Fit"]').click(),
  );
  const tray = await box(page, ":training");
  await page.touchscreen.tap(...middle(tray));
  await until(page, ":training", has("chosen"));
  assert.equal(await view(page).isVisible(), true);
  const tapped = await page.evaluate(() => performance.now());
  await page.waitForFunction((start) => performance.now() > start + 400, tapped); // later taps are no second ones of this
  await pressTwice(page, middle(tray), true);
  await until(page, ":training", isOpen);
  const before = await box(page, "image");
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [180, 400], [200, 400]);
  for (let i = 1; i <= 5; i++) await touch("touchMove", [180 - 10 * i, 400], [200 + 10 * i, 400]);
  await touch("touchEnd");
  const after = await until(page, "image", (found) => found.width > before.width * 3);
  t.diagnostic(`two fingers: ${(after.width / before.width).toFixed(1)} times as large`);
});

test("a map shows the part that the window shows, and moves it; it is not there when all is seen, or on a telephone", async (t) => {
  const page = await sampleOf(browser, t, { viewport: { width: 1440, height: 900 } });
  const map = page.locator("picture-view .minimap");
  await keys(page, "0", "+", "+", "+", "+");
  await map.waitFor();
  const canvas = await map.locator("canvas").boundingBox();
  await page.mouse.click(canvas.x + canvas.width / 2, canvas.y + 2);
  const before = await box(page, "image");
  const frame = await map.locator("i").boundingBox();
  assert.ok(frame.height < canvas.height / 2 && frame.y < canvas.y + 5, JSON.stringify(frame));
  assert.equal(await map.getAttribute("aria-hidden"), "true");
  const { height } = await layoutOf(page);
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 4];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, canvas.y + canvas.height / 2, { steps: 3 });
  await page.mouse.up();
  const window = await view(page).boundingBox();
  const after = await box(page, "image");
  const scale = after.height / after.h;
  const top = after.y - scale * (await layoutOf(page)).boxes[after.id].y;
  assert.ok(Math.abs(top + (scale * height) / 2 - window.y - window.height / 2) < 12, "the middle is in the middle");
  assert.ok(after.y < before.y - 100);
  await keys(page, "f");
  await map.waitFor({ state: "hidden" });
  await keys(page, "0");
  await map.waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await map.waitFor({ state: "hidden" });
});

test("the theme changes the picture's colors", async (t) => {
  const page = await sampleOf(browser, t, { colorScheme: "light" });
  const { x, y, width, height } = await box(page, "conv1/Conv2D");
  const color = () => colorAt(page, [x + width / 2, y + height - 3]);
  const light = await color();
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await color();
  assert.notEqual(dark, light);
  await page.getByLabel("Theme").selectOption("light");
  assert.equal(await color(), light);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await color(), light);
  await page.getByLabel("Theme").selectOption("system");
  assert.equal(await color(), dark);
});

// A file may hold any name; TensorFlow itself would refuse these.
const kHostile = [
  '<script>document.title="x"</script>',
  '"><img src=x onerror=alert(1)>',
  "a\u202Egpj.exe",
  "]]>&amp;<!--",
  "scope<b>/x",
  "scope<b>/y",
  "scope<b>/z",
  "url(javascript:1)",
];

test("the name of a node is text, whatever is in it", async (t) => {
  const page = await browser.page(t);
  page.on("dialog", () => assert.fail("a script ran"));
  const quoted = (name) => JSON.stringify(name).replace(/\u202E/g, "\\342\\200\\256");
  const nodes = kHostile.map(
    (
      name,
      i,
    ) => `node { name: ${quoted(name)} op: "${i ? "Identity" : "Placeholder"}" ${i ? `input: ${quoted(kHostile[i - 1])}` : ""}
    attr { key: "${i ? "T" : "dtype"}" value { type: DT_FLOAT } } }`,
  );
  await give(page, { name: "hostile.pbtxt", mimeType: "", buffer: Buffer.from(nodes.join("\n")) });
  await drawn(page);
  const { boxes } = await layoutOf(page);
  assert.ok(boxes.length > 2);
  for (const { name, kind } of boxes.filter((each) => !each.open)) {
    await page.evaluate((wanted) => {
      const element = document.querySelector("picture-view");
      element.dispatchEvent(
        new CustomEvent("choose", {
          detail: { box: element.drawn.layout.boxes.find((each) => each.name === wanted), by: "click" },
        }),
      );
    }, name);
    await until(page, name, has("chosen"));
    if (kind === "node") await shows(page, name);
  }
  assert.equal(await page.locator("main script, main img, main b").count(), 0);
  assert.notEqual(await page.title(), "x");
});

async function saveAs(page, name) {
  await page.locator(".menu > summary").click();
  await page.getByRole("button", { name, exact: true }).click();
}

// A download as its bytes, by the name that it has.
async function downloaded(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), saveAs(page, name)]);
  return [download.suggestedFilename(), readFileSync(await download.path())];
}

// The pixels of a file in which the color is: its size, the color of its first pixel, and the number of colors.
const pixelsOf = (page, png) =>
  page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: "image/png" }));
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const all = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
      return { width: image.width, height: image.height, first: all[0] & 0xffffff, colors: new Set(all).size };
    },
    [...png],
  );

test("the picture is saved as PNG, whole or as the window shows it, in the page's theme, and its layout as JSON", async (t) => {
  const page = await sampleOf(browser, t, { colorScheme: "light" });
  const { width, height } = await layoutOf(page);
  const [name, all] = await downloaded(page, "Save as PNG");
  assert.equal(name, "model.ckpt.meta.png");
  const whole = await pixelsOf(page, all);
  assert.deepEqual([whole.width, whole.height], [Math.ceil(2 * width), Math.ceil(2 * height)]);
  assert.equal(whole.first, 0xffffff);
  assert.ok(whole.colors > 100, `${whole.colors} colors`);
  await page.getByLabel("Theme").selectOption("dark");
  await keys(page, "+", "+");
  const window = await view(page).boundingBox();
  const part = await pixelsOf(page, (await downloaded(page, "Save the view as PNG"))[1]);
  assert.deepEqual([part.width, part.height], [Math.ceil(2 * window.width), Math.ceil(2 * window.height)]);
  assert.ok(part.first < 0x404040 && part.colors > 100, JSON.stringify(part));
  const [json, layout] = await downloaded(page, "Save the layout as JSON");
  assert.equal(json, "model.ckpt.meta.json");
  assert.equal(JSON.parse(layout).boxes.length, (await layoutOf(page)).boxes.length);
});

test("Escape closes the menu of files and gives the focus back", async (t) => {
  const page = await sampleOf(browser, t);
  await press(page, "conv1/relu");
  await shows(page, "conv1/relu");
  await keys(page, "u");
  await page.locator(".menu > summary").press("Enter");
  await page.getByRole("button", { name: "Save as PNG", exact: true }).focus();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu[open]").count(), 0);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Save/);
  assert.equal(await page.locator(".trace").count(), 1, "what is followed stays");
});

test("Save as SVG gives the file that the native program writes for the same view", async (t) => {
  const page = await sampleOf(browser, t);
  const saved = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), saveAs(page, "Save as SVG")]);
    assert.equal(download.suggestedFilename(), "model.ckpt.meta.svg");
    return readFileSync(await download.path(), "utf8");
  };
  assert.equal(await saved(), native(t, "draw", kMeta, "x.svg")["x.svg"].toString());
  await press(page, "conv1/Conv2D");
  await keys(page, "Backspace");
  await until(page, "conv1", isClosed);
  await page.getByLabel("Color", { exact: true }).selectOption("weights");
  await until(page, "conv1", ({ color }) => color.startsWith("weights"));
  const open = ["conv2", "hidden", "readout"];
  assert.equal(
    await saved(),
    native(t, "draw", kMeta, "x.svg", "--color", "weights", "--open", open.join())["x.svg"].toString(),
  );
});

test("weights alone have no picture", async (t) => {
  const page = await browser.page(t);
  await give(
    page,
    ["index", "data-00000-of-00001"].map((end) => join(sample, `model.ckpt.${end}`)),
  );
  await page.getByRole("tab", { name: /^Weights/ }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Picture" }).count(), 0);
  assert.equal(await page.locator("picture-view").count(), 0);
});

test("findings and previews name nodes that can be gone to, in the picture too", async (t) => {
  const page = await browser.page(t);
  await give(page, join(root, "web/samples/broken/broken.pb"));
  await calm(page);
  await perform(page, "Validate");
  const link = page.locator(".verdict .node-link").first();
  const name = await link.locator("code").textContent();
  await link.click();
  await shows(page, name);
  assert.equal(await page.evaluate(() => document.activeElement.id), "node-title");
  await untilMarked(page, "chosen");
  await page.getByRole("tab", { name: "Prune", exact: true }).click();
});

test("a chain of 20,000 nodes is drawn", async (t) => {
  const page = await browser.page(t);
  await give(page, { name: "chain.pb", mimeType: "", buffer: chain(20000) });
  await page.locator("#model-title").getByText("chain.pb").waitFor();
  await page.waitForFunction(() => document.querySelector("picture-view")?.drawn.layout.view.nodes === 20001);
});

test("2,000 boxes are opened, and moved", async (t) => {
  const page = await browser.page(t);
  const node = (name, input) =>
    `node { name: "${name}" op: "${input ? "Relu" : "Placeholder"}" ${input ? `input: "${input}"` : ""} attr { key: "${input ? "T" : "dtype"}" value { type: DT_FLOAT } } }`;
  const text = [
    node("x"),
    ...Array.from({ length: 2000 }, (_, i) => node(`s/n${i}`, i < 50 ? "x" : `s/n${i - 50}`)),
  ].join("\n");
  await give(page, { name: "wide.pbtxt", mimeType: "", buffer: Buffer.from(text) });
  await drawn(page);
  for (let i = 0; i < 6; i++) await openAll(page);
  const { boxes } = await layoutOf(page);
  assert.ok(boxes.length > 2000, `${boxes.length} boxes`);
  await keys(page, "f");
  const before = await box(page, "x");
  await page.mouse.move(...middle(await view(page).boundingBox()));
  await page.mouse.wheel(0, 30);
  isAt(await until(page, "x", ({ y }) => y !== before.y), { x: before.x, y: before.y - 30 });
});

// Opens every closed group.
async function openAll(page) {
  const before = await page.evaluate(() => {
    const element = document.querySelector("picture-view");
    const {
      boxes,
      view: { open },
    } = element.drawn.layout;
    const closed = boxes.filter((each) => !each.open && each.kind !== "node");
    for (const detail of closed) element.dispatchEvent(new CustomEvent("toggle", { detail }));
    return closed.length > 0 ? open.length : -1;
  });
  await page.waitForFunction(
    (opened) => document.querySelector("picture-view").drawn.layout.view.open.length > opened,
    before,
  );
}
