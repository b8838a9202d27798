/** The type of what is dragged, when it is a tensor. */
const kTensorType = "application/x-cryograph-tensor";

/** Begins to drag a tensor. A text field takes its name. */
export function dragTensor({ dataTransfer }: DragEvent, name: string): void {
  dataTransfer?.setData(kTensorType, name);
  dataTransfer?.setData("text/plain", name);
}

/** Lets a tensor be dropped where the event is; files and texts are left to others. */
export function allowTensor(event: DragEvent): void {
  if (event.dataTransfer?.types.includes(kTensorType)) event.preventDefault();
}

/** Returns the dropped tensor; "" for something else. */
export function droppedTensor(event: DragEvent): string {
  const name = event.dataTransfer?.getData(kTensorType) ?? "";
  if (name) event.preventDefault();
  return name;
}
