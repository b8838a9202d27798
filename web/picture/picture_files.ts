import type { App } from "../actions/app.js";
import { menu } from "../ui/menu.js";
import { baseName } from "../words/format.js";
import { kPictureWords } from "../words/picture.js";
import type { DrawnPicture } from "./drawn.js";
import type { Snapshot } from "./picture_view.js";

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
function rendered({ width, height, draw }: Snapshot): Promise<Blob | null> {
  const ratio = Math.min(kSharp, kMaxSide / Math.max(width, height), Math.sqrt(kMaxPixels / (width * height)));
  return new Promise((done) => draw(ratio).toBlob(done, "image/png"));
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
