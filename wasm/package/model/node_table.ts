import { checkPlace, checkedText } from "../base/argument.js";
import type { NodeColumns } from "../core/binding.js";

const kDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * All nodes of a graph or of a function's body, by their place in it, from 0 to `length` - 1. Texts are made when they
 * are requested. Another place fails with "bad-argument".
 */
export class NodeTable {
  readonly length: number;
  #columns: NodeColumns;
  // All names as one text, of which a name is a part; null if they are not ASCII, undefined until one is requested.
  #text: string | null | undefined;
  #found = new Map<string, number>();

  /** @internal */
  constructor(columns: NodeColumns) {
    this.#columns = columns;
    this.length = columns.nameEnds.length;
  }

  name(node: number): string {
    checkPlace("name", node, this.length);
    const { names, nameEnds } = this.#columns;
    const [begin, end] = [this.#begin(node), nameEnds[node]];
    return this.#names()?.slice(begin, end) ?? kDecoder.decode(names.subarray(begin, end));
  }

  op(node: number): string {
    checkPlace("op", node, this.length);
    const { ops, opNames } = this.#columns;
    return opNames[ops[node]!]!;
  }

  device(node: number): string {
    checkPlace("device", node, this.length);
    const { devices, deviceNames } = this.#columns;
    return deviceNames[devices[node]!]!;
  }

  /** Bytes of the value of a constant or a variable, as a checkpoint would store it; 0 for other nodes. */
  bytes(node: number): number {
    checkPlace("bytes", node, this.length);
    return this.#columns.bytes[node]!;
  }

  inputCount(node: number): number {
    checkPlace("inputCount", node, this.length);
    return this.#columns.inputEnds[node]! - this.#firstInput(node);
  }

  /** "a", "b:1", "^c", in order. */
  inputs(node: number): string[] {
    checkPlace("inputs", node, this.length);
    const { inputs, ports, missing } = this.#columns;
    const first = this.#firstInput(node);
    return Array.from({ length: this.inputCount(node) }, (_, at) => {
      const from = inputs[first + at]!;
      if (from < 0) return missing[-1 - from]!;
      const port = ports[first + at]!;
      return port < 0 ? `^${this.name(from)}` : port === 0 ? this.name(from) : `${this.name(from)}:${port}`;
    });
  }

  /** The place of the first node of this name; -1 if no node has it. A name is searched once. */
  find(name: string): number {
    const known = this.#found.get(checkedText("find", "the name of a node", name));
    if (known !== undefined) return known;
    const place = this.#search(name);
    this.#found.set(name, place);
    return place;
  }

  /** @internal For another thread. */
  columns(): NodeColumns {
    return this.#columns;
  }

  #search(name: string): number {
    const { nameEnds } = this.#columns;
    const ascii = this.#names() !== null;
    for (let node = 0, begin = 0; node < this.length; begin = nameEnds[node++]!) {
      const mayBe = !ascii || nameEnds[node]! - begin === name.length;
      if (mayBe && this.name(node) === name) return node;
    }
    return -1;
  }

  #names(): string | null {
    if (this.#text !== undefined) return this.#text;
    const text = kDecoder.decode(this.#columns.names);
    return (this.#text = text.length === this.#columns.names.length ? text : null);
  }

  #begin(node: number): number {
    return node === 0 ? 0 : this.#columns.nameEnds[node - 1]!;
  }

  #firstInput(node: number): number {
    return node === 0 ? 0 : this.#columns.inputEnds[node - 1]!;
  }
}
