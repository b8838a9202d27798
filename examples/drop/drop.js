// Freezes a model that is dropped or chosen. The files stay in the browser.
import { CryographError, open } from "cryograph/worker";

const status = document.querySelector("[role=status]");
const link = document.querySelector("a[download]");

/** `input`: a list of files, or dropped items, which may be folders. */
async function freeze(input) {
  status.textContent = "Working";
  try {
    const model = await open(input);
    const frozen = await model.freeze();
    const [file] = await frozen.write({ as: "pb" });
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(await file.blob());
    link.hidden = false;
    const { outputs } = await frozen.inspect();
    status.textContent = `${file.size} bytes. Outputs: ${outputs.map(({ name }) => name).join(", ")}`;
    frozen.close();
    model.close();
  } catch (error) {
    if (!(error instanceof CryographError)) throw error;
    status.textContent = error.message;
  }
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  void freeze(event.dataTransfer.items);
});
document.querySelector("input").addEventListener("change", ({ target }) => void freeze([...target.files]));
