// Validates a model that is chosen, and lists the findings.
//   npm install && npx vite        Vite 8; Vite 6 and 7 need a line of configuration (docs/javascript.md)
import { open } from "cryograph/worker";

const status = document.querySelector("[role=status]");

document.querySelector("input").addEventListener("change", async ({ target }) => {
  const model = await open([...target.files]);
  const { valid, diagnostics } = await model.validate();
  status.textContent = valid ? "TensorFlow would load it." : "TensorFlow would refuse it.";
  const items = diagnostics.map(({ severity, message, code }) => {
    return Object.assign(document.createElement("li"), { textContent: `${severity}: ${message} [${code}]` });
  });
  document.querySelector("ul").replaceChildren(...items);
  model.close();
});
