// A page's types alone: no Node, no "esnext.disposable".
import { open } from "cryograph";

export async function dropped(
  event: DragEvent,
  input: HTMLInputElement,
  folder: FileSystemDirectoryHandle,
): Promise<Response> {
  await open(event.dataTransfer!.items);
  await open(input.files!);
  await open(folder);
  await open(await fetch("model.pb"));
  const model = await open(input.files![0]!);
  const [file] = await model.write({ as: "pb" });
  return new Response(file!.stream());
}
