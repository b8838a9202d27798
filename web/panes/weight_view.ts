import { html, LitElement, nothing, type PropertyValues } from "lit";
import { numbersOf } from "../engine/engine.js";
import { diagnosticsOf } from "../engine/engine.js";
import type { Model, Statistics, WeightInfo } from "../engine/engine.js";
import { bytes, count, number } from "../ui/format.js";
import { shape } from "../words/format.js";
import { kWords } from "../words/words.js";
import { histogram } from "./histogram.js";
import "./tensor_picture.js";

const kUnasked = 32e6; // bytes that are read without asking
const kPictured = 16e6;
const kValues = 40;

type Pictured = { numbers: ArrayLike<number>; shape: readonly number[] };

/**
 * A weight's values: statistics, distribution, a picture, and the numbers themselves. They are read when they are
 * shown.
 */
export class WeightView extends LitElement {
  static override properties = {
    model: { attribute: false },
    weight: { attribute: false },
    titled: { attribute: false },
    theme: {},
    statistics: { state: true },
    picture: { state: true },
    values: { state: true },
    first: { state: true },
    failure: { state: true },
    asked: { state: true },
  };

  declare model: Model;
  declare weight: WeightInfo;
  /** True if the weight's name is shown above. */
  declare titled: boolean;
  declare theme: string;
  declare statistics: Statistics | null;
  declare picture: Pictured | null;
  declare values: readonly string[] | null;
  declare first: number;
  declare failure: string;
  declare asked: boolean;

  constructor() {
    super();
    this.theme = "system";
    this.titled = false;
    this.#forget();
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("weight") || changed.has("model")) {
      this.#forget();
      this.asked = Number(this.weight.bytes) <= kUnasked;
      if (this.asked && this.#hasValue()) void this.#read();
    }
  }

  override render() {
    const { name, dtype, shape: size, bytes: all } = this.weight;
    return html`
      <div class="weight">
        ${this.titled ? html`<h2 id="node-title" class="node-name" tabindex="-1"><code>${name}</code></h2>` : nothing}
        <h3>${kWords.values} <span class="amount">${dtype} ${shape(size)}, ${bytes(all)}</span></h3>
        ${this.#hasValue() ? this.#body() : html`<p class="muted small">${kWords.noValue}</p>`}
      </div>`;
  }

  #body() {
    if (this.failure) return html`<p class="muted small">${this.failure}</p>`;
    if (!this.asked)
      return html`<button type="button" class="button small" @click=${this.#ask}>${kWords.readIt}: ${bytes(this.weight.bytes)}</button>`;
    if (!this.values) return html`<p class="muted small">${kWords.reading}</p>`;
    return html`
      ${this.statistics ? histogram(this.statistics) : nothing}
      ${this.statistics ? this.#facts(this.statistics) : nothing}
      ${
        this.picture
          ? html`
        <tensor-picture .numbers=${this.picture.numbers} .shape=${this.picture.shape} .theme=${this.theme}></tensor-picture>`
          : this.#isTooLarge()
            ? html`<p class="muted small">${kWords.tooLarge}</p>`
            : nothing
      }
      ${this.#numbers(this.values)}`;
  }

  #facts({ least, most, mean, deviation, zeros, nans, infinities, count: all }: Statistics) {
    const share = (part: number) =>
      `${count(part)}${part ? `, ${((part / all) * 100).toFixed(part === all ? 0 : 1)} %` : ""}`;
    const rows: [string, string][] = [
      ["Min", number(least)],
      ["Max", number(most)],
      ["Mean", number(mean)],
      ["Std dev", number(deviation)],
      ["Zeros", share(zeros)],
      ...(nans ? [["NaN", share(nans)] as [string, string]] : []),
      ...(infinities ? [["Infinite", share(infinities)] as [string, string]] : []),
    ];
    return html`<dl class="statistics">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  #numbers(values: readonly string[]) {
    const all = this.weight.shape?.reduce<number>((product, each) => product * Number(each), 1) ?? values.length;
    const page = (by: number) => void this.#readValues(this.first + by);
    return html`
      <ol class="values" start=${this.first}>${values.map((value) => html`<li><code>${value}</code></li>`)}</ol>
      ${
        all <= kValues
          ? nothing
          : html`
        <div class="pager">
          <button type="button" class="icon" aria-label=${kWords.previousValues} ?disabled=${this.first === 0} @click=${() => page(-kValues)}>←</button>
          <span class="muted small">${count(this.first)} to ${count(this.first + values.length - 1)} of ${count(all)}</span>
          <button type="button" class="icon" aria-label=${kWords.nextValues} ?disabled=${this.first + kValues >= all} @click=${() => page(kValues)}>→</button>
        </div>`
      }`;
  }

  #ask(): void {
    this.asked = true;
    void this.#read();
  }

  async #read(): Promise<void> {
    const { model, weight } = this;
    const mine = () => this.weight === weight && this.model === model;
    try {
      const statistics = weight.dtype === "string" ? null : await model.statistics(weight.name).catch(noNumbers);
      if (mine()) this.statistics = statistics;
      if (mine()) await this.#readValues(0);
      if (!mine() || !statistics || this.#isTooLarge()) return;
      const { data, dtype, shape: size } = await model.weight(weight.name);
      const raw = data as Uint8Array;
      if (mine() && size.length > 0)
        this.picture = {
          numbers: numbersOf(dtype, new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength)),
          shape: size,
        };
    } catch (error) {
      if (mine()) this.failure = diagnosticsOf(error)[0]!.message;
    }
  }

  async #readValues(first: number): Promise<void> {
    const { model, weight } = this;
    const { data, dtype } = await model.weight(weight.name, { first, count: kValues });
    if (this.weight !== weight) return;
    this.first = first;
    this.values = texts(dtype, data);
  }

  #isTooLarge(): boolean {
    return this.statistics !== null && Number(this.weight.bytes) > kPictured;
  }

  #hasValue(): boolean {
    return this.weight.source !== "variable";
  }

  #forget(): void {
    this.statistics = this.picture = this.values = null;
    this.first = 0;
    this.failure = "";
    this.asked = false;
  }
}

// Some types have no statistics; their values are shown all the same.
function noNumbers(error: unknown): null {
  if (diagnosticsOf(error)[0]?.code === "dtype-without-numbers") return null;
  throw error;
}

function texts(dtype: string, data: Awaited<ReturnType<Model["weight"]>>["data"]): string[] {
  if (Array.isArray(data)) return data.map((each) => JSON.stringify(new TextDecoder().decode(each)));
  if (dtype.startsWith("complex")) {
    const pairs = data as Float32Array;
    return Array.from(
      { length: pairs.length / 2 },
      (_, i) => `${number(pairs[2 * i]!)} + ${number(pairs[2 * i + 1]!)} i`,
    );
  }
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Array.from(data, String);
  if (dtype === "bool") return Array.from(data, (each) => (each ? "true" : "false"));
  if (dtype.startsWith("float8")) return Array.from(data, String);
  return Array.from(numbersOf(dtype, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)), number);
}

customElements.define("weight-view", WeightView);
