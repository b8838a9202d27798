import { nothing, render } from "lit";
import { App } from "../actions/app.js";
import { kMadeUpName, madeUpGraph } from "../engine/made_up_graph.js";
import { view } from "./view.js";

const kPause = 10; // milliseconds
const kLongest = 2000;

/**
 * Opens a made-up model in a second page that is not seen, until its picture is there or `isBusy`. What a browser does when it
 * first shows a model is done then: it compiles functions, reads templates, loads letters. A person's first picture of 20,000
 * nodes comes 50 ms sooner (0.23 s instead of 0.28 s, medians on two slow processors). Its tree is closed: no selector finds
 * what is in it.
 */
export async function rehearse(isBusy: () => boolean): Promise<void> {
  if (isBusy()) return;
  const host = document.createElement("div");
  host.className = "rehearsal";
  host.inert = true;
  const tree = host.attachShadow({ mode: "closed" });
  for (const style of document.querySelectorAll("link[rel=stylesheet], style")) tree.append(style.cloneNode(true));
  const root = tree.appendChild(document.createElement("div"));
  document.body.append(host);
  await show(root, isBusy);
  host.remove();
}

async function show(root: HTMLElement, isBusy: () => boolean): Promise<void> {
  const layOut = () => void root.getBoundingClientRect();
  const app: App = new App(() => {
    app.picture.begin();
    render(view(app), root);
    app.update();
  }, layOut);
  await app.files.open(new File([madeUpGraph()], kMadeUpName));
  const isDrawn = () => root.querySelector("picture-view")?.shadowRoot?.querySelector("svg");
  for (const end = performance.now() + kLongest; performance.now() < end && !isBusy() && !isDrawn();)
    await new Promise((done) => setTimeout(done, kPause));
  layOut();
  if (app.step) app.tabs.close();
  render(nothing, root);
}
