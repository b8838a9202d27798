import type { App } from "../actions/app.js";
import { menu } from "../ui/menu.js";
import { baseName } from "../words/format.js";
import { kPictureWords } from "../words/picture.js";
import type { DrawnPicture } from "./drawn.js";
import type { Snapshot } from "./snapshot.js";

// Browsers' canvases are bounded by their longer side and by their pixels.
const kMaxSide = 16_000;
const kMaxPixels = 64e6;
const kSharp = 2; // pixels of the file for one of the picture

/** The menu of files that a picture is saved as. */
export function saveMenu(app: App, { svg, layout }: DrawnPicture) {
  const name = baseName(app.step!.about.model);
  const png = (part: "view" | "all") => () => void savePng(app, part, name);
  return menu(kPictureWords.save, [
    { label: kPictureWords.asSvg, act: () => save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`) },
    { label: kPictureWords.asPng, act: png("all") },
    { label: kPictureWords.viewAsPng, act: png("view") },
    {
      label: kPictureWords.asJson,
      act: () => save(new Blob([JSON.stringify(layout)], { type: "application/json" }), `${name}.json`),
    },
  ]);
}

async function savePng(app: App, part: "view" | "all", name: string): Promise<void> {
  const snapshot = document.querySelector("picture-view")?.snapshot(part);
  const png = snapshot && (await rendered(snapshot).catch(() => null));
  if (png) save(png, `${name}.png`);
  app.set({ announcement: png ? `${kPictureWords.saved} ${name}.png` : kPictureWords.notSaved });
}

// The picture in pixels, as sharp as a canvas allows; null if it has no memory.
async function rendered({ svg, width, height, background }: Snapshot): Promise<Blob | null> {
  const scale = Math.min(kSharp, kMaxSide / Math.max(width, height), Math.sqrt(kMaxPixels / (width * height)));
  svg.setAttribute("width", String(width * scale));
  svg.setAttribute("height", String(height * scale));
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  try {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {
      width: Math.ceil(width * scale),
      height: Math.ceil(height * scale),
    });
    const context = canvas.getContext("2d")!;
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, width * scale, height * scale);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
