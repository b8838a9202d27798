// WebKitGTK's MiniBrowser, driven by WebDriver: https://w3c.github.io/webdriver. It needs a screen: Xvfb is one without glass.
import { readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { atEnd, folder, kPatience, start, until } from "./programs.mjs";

const kDriver = process.env.WEBKIT_DRIVER ?? "WebKitWebDriver";
const kElement = "element-6066-11e4-a52e-4f735466cecf"; // the standard's key of a reference to an element
const kSize = { width: 1440, height: 900 };

/** A MiniBrowser on a screen of its own, with a home of its own, where its downloads go. */
export async function launchWebKit() {
  const screen = start("Xvfb", [
    "-displayfd",
    "1",
    "-nolisten",
    "tcp",
    "-screen",
    "0",
    `${kSize.width}x${kSize.height}x24`,
  ]);
  const [number] = await screen.says("stdout", /\d+(?=\n)/);
  const home = folder();
  const port = await freePort();
  start(kDriver, [`--port=${port}`], { DISPLAY: `:${number}`, HOME: home, WEBKIT_DISABLE_DMABUF_RENDERER: "1" }); // no GPU here
  const root = `http://127.0.0.1:${port}`;
  await until(kDriver, () =>
    fetch(`${root}/status`).then(
      () => true,
      () => false,
    ),
  );
  const { sessionId } = await send("POST", `${root}/session`, { capabilities: {} });
  const session = `${root}/session/${sessionId}`;
  atEnd(() => fetch(session, { method: "DELETE", signal: AbortSignal.timeout(kPatience) }));
  return new WebKit(session, home);
}

class WebKit {
  constructor(session, home) {
    Object.assign(this, { session, home });
  }

  // In a new window: each download adds a bar to it, until there is no room for the page. The old one goes last: here nothing is kept on
  // disk, and with the last page of an origin its caches go, while its service worker may live on.
  async goto(address) {
    const old = await send("GET", `${this.session}/window`);
    const { handle } = await this.#send("window/new", { type: "window" });
    await this.#send("window", { handle });
    await this.#send("window/rect", { x: 0, y: 0, ...kSize });
    await this.#send("url", { url: address });
    await this.evaluate(listen);
    await this.#send("window", { handle: old });
    await send("DELETE", `${this.session}/window`);
    await this.#send("window", { handle });
  }

  async evaluate(work, ...args) {
    return this.#send("execute/sync", { script: `return (${work})(...arguments)`, args });
  }

  async click(selector) {
    await this.#send(`element/${await this.#find(selector)}/click`, {});
  }

  async setFiles(selector, files) {
    await this.#send(`element/${await this.#find(selector)}/value`, { text: files.join("\n") });
  }

  // The protocol does not tell when a file is complete, and the bar may come later still: what is pressed then would not be where it was.
  async download(selector, size) {
    const name = await this.evaluate((which) => document.querySelector(which).download, selector);
    const path = join(this.home, name);
    const height = () => this.evaluate(() => innerHeight);
    const before = await height();
    await this.click(selector);
    await until(`${size} bytes of ${name}`, () => statSync(path, { throwIfNoEntry: false })?.size === size);
    await until("its bar", async () => (await height()) < before);
    const bytes = readFileSync(path);
    rmSync(path);
    return bytes;
  }

  async complaints() {
    return this.evaluate(() => globalThis.complaints);
  }

  async #find(selector) {
    const { [kElement]: id } = await this.#send("element", {
      using: selector.startsWith("/") ? "xpath" : "css selector",
      value: selector,
    });
    return id;
  }

  #send(command, body) {
    return send("POST", `${this.session}/${command}`, body);
  }
}

// This protocol knows no console: the page keeps what it complains of from the moment it is loaded.
function listen() {
  const seen = (globalThis.complaints = []);
  for (const level of ["error", "warn"]) console[level] = (...words) => seen.push(words.join(" "));
  addEventListener("error", ({ message }) => seen.push(message));
  addEventListener("unhandledrejection", ({ reason }) => seen.push(String(reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    seen.push(`${violatedDirective}: ${blockedURI}`),
  );
}

async function send(method, address, body) {
  const response = await fetch(address, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

function freePort() {
  const server = createServer();
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    }),
  );
}
