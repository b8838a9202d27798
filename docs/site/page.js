// The documentation's pages: the theme that the page was given, search, and buttons that copy code. Works from a disk.

const kMost = 12;
const kAround = 60; // characters of a text before the word that was found

try {
  document.documentElement.dataset.theme = localStorage.getItem("cryograph-theme") ?? "system";
} catch {
  // A page that is a file may have no storage.
}

addEventListener("DOMContentLoaded", () => {
  listenForSearch(document.querySelector(".search"));
  foldContents(document.querySelector(".contents details"));
  // The page in a folder needs a server; the one that does not is another file, wherever that is.
  document.querySelector(".to-page").hidden = location.protocol === "file:";
  for (const block of document.querySelectorAll(".code:not(.printed)")) addCopyButton(block);
});

// The contents are a list next to a wide page, and folded above a narrow one.
function foldContents(details) {
  const wide = matchMedia("(min-width: 821px)");
  const fold = () => (details.open = wide.matches);
  wide.addEventListener("change", fold);
  fold();
}

function addCopyButton(block) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.append(button);
}

function listenForSearch(search) {
  const input = search.querySelector("input");
  const results = search.querySelector(".results");
  const show = () => {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = terms.length === 0;
    if (terms.length > 0 && globalThis.kSections) results.replaceChildren(...resultsOf(terms));
  };
  for (const type of ["focus", "input"]) input.addEventListener(type, () => loadIndex(show), { once: true });
  input.addEventListener("input", show);
  // Safari gives links no focus: a press on one would close the results before the click.
  results.addEventListener("mousedown", (event) => event.preventDefault());
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  search.addEventListener("focusout", ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) results.hidden = true;
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target === input) return;
    event.preventDefault();
    input.focus();
  });
}

// A script and not data, because a page that is a file may not read another.
function loadIndex(done) {
  if (document.querySelector("#sections")) return;
  const script = Object.assign(document.createElement("script"), { id: "sections" });
  script.src = `${document.documentElement.dataset.root}sections.js`;
  script.addEventListener("load", done);
  document.head.append(script);
}

function resultsOf(terms) {
  const found = globalThis.kSections
    .map((section) => [scoreOf(section, terms), section])
    .filter(([score]) => score > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, kMost);
  if (found.length === 0) return [element("p", "Nothing has all these words.", "nothing")];
  return found.map(([, section]) => resultOf(section, terms));
}

// Returns 0 unless every word is there; more for words in headings.
function scoreOf([, page, heading, text], terms) {
  const [pageWords, headingWords, words] = [page, heading, text].map((each) => each.toLowerCase());
  let score = 0;
  for (const term of terms) {
    const own = headingWords === term ? 40 : headingWords.includes(term) ? 12 : 0;
    const all = own + (pageWords.includes(term) ? 4 : 0) + (words.includes(term) ? 1 : 0);
    if (all === 0) return 0;
    score += all;
  }
  return score;
}

function resultOf([address, page, heading, text], terms) {
  const link = element("a", heading);
  link.href = document.documentElement.dataset.root + address;
  if (heading !== page) link.append(" ", element("small", page));
  const at = Math.max(0, text.toLowerCase().indexOf(terms[0]) - kAround);
  const start = at && text.indexOf(" ", at) + 1;
  link.append(element("p", text.slice(start, start + 4 * kAround)));
  return link;
}

function element(name, text, className = "") {
  return Object.assign(document.createElement(name), { textContent: text, className });
}
