import { render } from "lit";
import { App } from "./app.js";
import { listenForDrops } from "./drop_zone.js";
import { view } from "./view.js";

const root = document.getElementById("page")!;
const app = new App(() => render(view(app), root), arrive);

listenForDrops(app);
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") app.cancel();
});
render(view(app), root);

// The focus goes where something new is, for the keyboard and for screen readers.
function arrive(selector: string): void {
  const target = root.querySelector<HTMLElement>(selector);
  if (!target) return;
  target.focus({ preventScroll: true });
  const { top, bottom } = target.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) (target.closest("section") ?? target).scrollIntoView();
}
