#include "picture/write/picture_html.h"

#include <string_view>

#include "base/text.h"
#include "picture/write/picture_svg.h"

namespace cryo {
namespace {

// The hash of the script below, for the policy; tests/cli computes it.
constexpr std::string_view kScriptHash = "sha256-ZVkK03Fyutx4hZ31Jvyo1sdGtdWwz+cLnFY+KsQjAdU=";

constexpr std::string_view kScript = R"(
const svg = document.querySelector("svg");
const whole = svg.viewBox.baseVal;
const [wide, high] = [whole.width, whole.height];
let view = { x: 0, y: 0, w: wide };
const scale = () => view.w / svg.clientWidth;
const show = () => {
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${scale() * svg.clientHeight}`);
};
const fit = () => {
  const w = Math.max(wide, high * svg.clientWidth / svg.clientHeight);
  view = { w, x: (wide - w) / 2, y: (high - w * svg.clientHeight / svg.clientWidth) / 2 };
  show();
};
const start = () => {
  view = { w: Math.max(svg.clientWidth, 1), x: (wide - svg.clientWidth) / 2, y: 0 };
  show();
};
const zoom = (factor, x = svg.clientWidth / 2, y = svg.clientHeight / 2) => {
  const w = Math.min(Math.max(view.w * factor, 100), 4 * Math.max(wide, high, 1000));
  const by = (view.w - w) / svg.clientWidth;
  view = { w, x: view.x + x * by, y: view.y + y * by };
  show();
};
const pan = (dx, dy) => {
  view.x += dx * scale();
  view.y += dy * scale();
  show();
};
addEventListener("wheel", (event) => {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY / 100), event.clientX, event.clientY);
  else if (event.shiftKey) pan(event.deltaY + event.deltaX, 0);
  else pan(event.deltaX, event.deltaY);
}, { passive: false });
const touches = new Map();
svg.addEventListener("pointerdown", (event) => {
  touches.set(event.pointerId, event);
  svg.setPointerCapture(event.pointerId);
});
svg.addEventListener("pointermove", (event) => {
  const before = touches.get(event.pointerId);
  if (!before) return;
  const other = [...touches.values()].find((each) => each.pointerId !== event.pointerId);
  if (other) {
    const far = (each) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1;
    zoom(far(before) / far(event), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
  }
  const share = touches.size;
  pan((before.clientX - event.clientX) / share, (before.clientY - event.clientY) / share);
  touches.set(event.pointerId, event);
});
for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (event) => touches.delete(event.pointerId));
svg.addEventListener("dblclick", (event) => zoom(event.shiftKey ? 2 : 0.5, event.clientX, event.clientY));
const keys = {
  "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: start, f: fit,
  ArrowLeft: () => pan(-80, 0), ArrowRight: () => pan(80, 0), ArrowUp: () => pan(0, -80), ArrowDown: () => pan(0, 80),
  PageUp: () => pan(0, 80 - svg.clientHeight), PageDown: () => pan(0, svg.clientHeight - 80),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
for (const button of document.querySelectorAll("button")) button.addEventListener("click", () => keys[button.dataset.key]());
addEventListener("resize", show);
if (high > svg.clientHeight * 3) start();
else fit();
)";

constexpr std::string_view kStyle = R"(
html,body{margin:0;height:100%;overflow:hidden}svg{width:100%;height:100%;display:block;cursor:grab;touch-action:none}
svg:active{cursor:grabbing}nav{position:fixed;right:12px;bottom:12px;display:flex;gap:4px}
button{font:16px Helvetica,Arial,sans-serif;width:36px;height:36px;border:1px solid #94a3b8;border-radius:8px;
background:#fff;color:#18212f}button:focus-visible{outline:2px solid #2563eb;outline-offset:1px}
@media (prefers-color-scheme:dark){body{background:#11151c}button{background:#1d2430;color:#e8edf4}}
)";

constexpr std::string_view kButtons =
    "<nav aria-label=\"Zoom\"><button data-key=\"+\" aria-label=\"Zoom in\" title=\"Zoom in (+)\">+"
    "</button><button data-key=\"-\" aria-label=\"Zoom out\" title=\"Zoom out (-)\">−</button>"
    "<button data-key=\"0\" aria-label=\"Actual size\" title=\"Actual size (0)\">1</button>"
    "<button data-key=\"f\" aria-label=\"Fit\" title=\"Fit (f)\">⤢</button></nav>";

}  // namespace

std::string picture_html(const Picture& picture, const std::string& model) {
  const std::string policy = cat("default-src 'none'; style-src 'unsafe-inline'; script-src '",
                                 kScriptHash, "'; base-uri 'none'; form-action 'none'");
  return cat("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n",
             "<meta http-equiv=\"Content-Security-Policy\" content=\"", policy, "\">\n",
             "<meta name=\"viewport\" content=\"width=device-width\">\n<title>", xml_text(model),
             "</title>\n<style>", kStyle, "</style>\n", picture_svg(picture, model), kButtons,
             "\n<script>", kScript, "</script>\n</html>\n");
}

}  // namespace cryo
