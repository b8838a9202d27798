// Firefox, driven by WebDriver BiDi: https://w3c.github.io/webdriver-bidi
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, start, until } from "./programs.mjs";

const kProgram = process.env.FIREFOX ?? "firefox-esr";
const kEvents = ["log.entryAdded", "network.beforeRequestSent", "browsingContext.userPromptOpened"];

/** A Firefox without a window, with a profile of its own. */
export async function launchFirefox() {
  const [profile, downloads] = [folder(), folder()];
  writeFileSync(join(profile, "user.js"), preferences(downloads));
  const program = start(kProgram, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]);
  const [, address] = await program.says("stderr", /listening on (ws:\S+)/);
  const connection = await connect(`${address}/session`);
  await connection.send("session.new", { capabilities: {} });
  await connection.send("session.subscribe", { events: kEvents });
  const { contexts } = await connection.send("browsingContext.getTree");
  return new Firefox(connection, contexts[0].context, downloads);
}

// Without questions; WebDriver BiDi reports the end of a download in later versions only.
function preferences(downloads) {
  const all = {
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "browser.download.useDownloadDir": true,
    "browser.download.always_ask_before_handling_new_types": false,
    "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream",
  };
  return Object.entries(all)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");
}

class Firefox {
  #seen = [];

  constructor(connection, context, downloads) {
    Object.assign(this, { connection, context, downloads });
    connection.on("log.entryAdded", ({ level, text }) => {
      if (["error", "warn"].includes(level)) this.#seen.push(text);
    });
    // It leaves a page that asks before it loses a result. Firefox 140 waits for an answer; 153 gives one itself.
    connection.on("browsingContext.userPromptOpened", () =>
      this.#send("browsingContext.handleUserPrompt", { accept: true }).catch(() => {}),
    );
    connection.on("network.beforeRequestSent", ({ context: from, request: { url } }) => {
      if (from === context && /^(http|ws)/.test(url) && !url.startsWith(this.address))
        this.#seen.push(`asked for ${url}`);
    });
  }

  async goto(address) {
    this.address = address;
    this.#seen.length = 0;
    await this.#send("browsingContext.navigate", { url: address, wait: "complete" });
  }

  async evaluate(work, ...values) {
    const { type, result, exceptionDetails } = await this.#send("script.callFunction", {
      functionDeclaration: `async (values) => JSON.stringify(await (${work})(...JSON.parse(values)))`,
      arguments: [{ type: "string", value: JSON.stringify(values) }],
      target: { context: this.context },
      awaitPromise: true,
    });
    if (type === "exception") throw new Error(exceptionDetails.text);
    return JSON.parse(result.value ?? "null");
  }

  async click(selector) {
    const element = await this.#find(selector);
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element } },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.#send("input.performActions", { actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  async setFiles(selector, files) {
    await this.#send("input.setFiles", { element: await this.#find(selector), files });
  }

  async download(selector) {
    await this.click(selector);
    const path = await this.#downloaded();
    const bytes = readFileSync(path);
    rmSync(path);
    return bytes;
  }

  async complaints() {
    return [...this.#seen];
  }

  // A file is empty, next to one ".part" with its bytes, until all of them are there.
  #downloaded() {
    return until("the end of a download", () => {
      const [name, ...others] = readdirSync(this.downloads);
      const path = name && join(this.downloads, name);
      return path && others.length === 0 && !name.endsWith(".part") && statSync(path).size > 0 ? path : null;
    });
  }

  async #find(selector) {
    const type = selector.startsWith("/") ? "xpath" : "css";
    const { nodes } = await this.#send("browsingContext.locateNodes", {
      locator: { type, value: selector },
      maxNodeCount: 1,
    });
    if (nodes.length === 0) throw new Error(`no ${selector}`);
    return { sharedId: nodes[0].sharedId };
  }

  #send(method, params) {
    return this.connection.send(method, { context: this.context, ...params });
  }
}

/** The socket: commands have answers, of the same id; events have a listener each, the latest. */
async function connect(address) {
  const socket = new WebSocket(address);
  const waiting = new Map();
  const listeners = new Map();
  socket.onmessage = ({ data }) => {
    const { id, type, method, params, result, error, message } = JSON.parse(data);
    if (type === "event") return listeners.get(method)?.(params);
    const { done, failed } = waiting.get(id);
    waiting.delete(id);
    if (type === "success") done(result);
    else failed(new Error(`${error}: ${message}`));
  };
  await new Promise((done, failed) => Object.assign(socket, { onopen: done, onerror: failed }));
  let count = 0;
  return {
    on: (method, listener) => listeners.set(method, listener),
    send: (method, params = {}) =>
      new Promise((done, failed) => {
        waiting.set(++count, { done, failed });
        socket.send(JSON.stringify({ id: count, method, params }));
      }),
  };
}
