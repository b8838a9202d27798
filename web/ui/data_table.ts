import { html, LitElement, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";

/** A column: a row's value, to sort by and, unless it is shown otherwise, to show. */
export interface Column<Row> {
  name: string;
  label: string;
  /** Width of the grid's track: "2fr", "90px". */
  width: string;
  numeric?: boolean;
  /** Hidden on narrow screens. */
  wide?: boolean;
  /** Its value is the name of the cell: what it shows is in parts. */
  named?: boolean;
  value(row: Row): string | number;
  show?(row: Row): unknown;
}

/** A chosen row, and how it was chosen: an arrow key moved to it, a click, or the Enter key. */
export interface Chosen<Row> {
  row: Row;
  by: "arrow" | "click" | "enter";
}

const kHeadHeight = 32;
const kBeyond = 8; // rows in the document above and below those that are seen
const kFirstRow = 2; // the head is one, too
const kSteady = 8; // pixels that a press may stray
const kPage = 10;
const kSteps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + kPage,
  PageUp: (at) => at - kPage,
  Home: () => 0,
  End: (_, last) => last,
};

let count = 0; // of tables

/**
 * A table of any number of rows, of which only the visible ones are in the document. It is sorted by a press on a
 * column's head, and navigated with the arrow keys. Fires "choose" with a Chosen.
 */
export class DataTable<Row = unknown> extends LitElement {
  static override properties = {
    rows: { attribute: false },
    columns: { attribute: false },
    keyOf: { attribute: false },
    chosen: { attribute: false },
    label: { attribute: false },
    rowHeight: { attribute: false },
    mostRows: { attribute: false },
    version: { attribute: false },
    sort: { state: true },
    cursor: { state: true },
    window: { state: true },
  };

  declare rows: readonly Row[];
  declare columns: readonly Column<Row>[];
  declare keyOf: (row: Row) => string | number;
  /** The key of the current row, wherever it was chosen; "" for none. */
  declare chosen: string | number;
  declare label: string;
  /** Units: pixels. */
  declare rowHeight: number;
  /** The table is as high as its rows, up to as many; 0: as high as its place. */
  declare mostRows: number;
  /** A new value shows the rows again, whose cells depend on it. */
  declare version: unknown;
  /** The key of the row that arrow keys go on from. */
  declare cursor: string | number;
  declare sort: { column: string; down: boolean } | null;

  /** The first row that is seen, and how many rows there is room for. */
  declare window: { first: number; room: number };

  readonly #id = `table${++count}`;
  #sorted: readonly Row[] = [];
  #placed: { rows: readonly Row[]; cursor: string | number; at: number } = { rows: [], cursor: "", at: -1 };
  #pressed: { at: string | number | null; x: number; y: number } = { at: null, x: 0, y: 0 };
  #sizes = new ResizeObserver(() => this.#look());

  constructor() {
    super();
    this.rows = [];
    this.columns = [];
    this.keyOf = String;
    this.chosen = this.label = this.cursor = "";
    this.sort = null;
    this.rowHeight = 32;
    this.mostRows = 0;
    this.window = { first: 0, room: 0 };
  }

  // In the page's own tree, so that its style sheet holds here too.
  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("chosen") && this.chosen !== "") this.cursor = this.chosen;
    if (changed.has("columns")) {
      if (!this.columns.some(({ name }) => name === this.sort?.column)) this.sort = null;
      this.style.setProperty("--tracks", this.columns.map(({ width }) => width).join(" "));
      this.style.setProperty(
        "--narrow-tracks",
        this.columns
          .filter(({ wide }) => !wide)
          .map(({ width }) => width)
          .join(" "),
      );
    }
    if (changed.has("rows") || changed.has("sort") || changed.has("columns")) this.#sorted = this.#inOrder();
    this.style.setProperty("--row", `${this.rowHeight}px`);
    if (this.mostRows === 0) return;
    this.style.height = `${kHeadHeight + 2 + Math.min(this.#sorted.length, this.mostRows) * this.rowHeight}px`;
  }

  override firstUpdated(): void {
    this.#sizes.observe(this.#scroller()!);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const scroller = this.#scroller(); // it is rendered already when the table is moved
    if (scroller) this.#sizes.observe(scroller);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  #scroller(): HTMLElement | null {
    return this.querySelector(".table");
  }

  #look(): void {
    const { scrollTop, clientHeight } = this.#scroller()!;
    const first = Math.floor(scrollTop / this.rowHeight);
    const room = Math.ceil(clientHeight / this.rowHeight);
    if (first !== this.window.first || room !== this.window.room) this.window = { first, room };
  }

  override updated(changed: PropertyValues): void {
    const others = changed.has("rows") || changed.has("columns");
    if (!others && !changed.has("chosen")) return;
    const at = this.#place();
    if (at >= 0) this.#reveal(at);
    else if (changed.has("rows")) this.#scroller()!.scrollTop = 0;
  }

  // Rows are of one height: at once, and no further than needed. The head covers the uppermost.
  #reveal(at: number): void {
    const scroller = this.#scroller()!;
    const [top, room] = [at * this.rowHeight, scroller.clientHeight - kHeadHeight];
    scroller.scrollTop = Math.max(Math.min(scroller.scrollTop, top), top + this.rowHeight - room);
  }

  #inOrder(): readonly Row[] {
    const column = this.columns.find(({ name }) => name === this.sort?.column);
    if (!column) return this.rows;
    const sign = this.sort!.down ? -1 : 1;
    const values = this.rows.map((row, i) => ({ value: column.value(row), i }));
    values.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : a.i - b.i));
    return values.map(({ i }) => this.rows[i]!);
  }

  override render() {
    const { first, room } = this.window;
    const from = Math.max(0, first - kBeyond);
    const to = room > 0 ? Math.min(this.#sorted.length, first + room + kBeyond) : from; // none while it is hidden
    const at = this.#place();
    const active = from <= at && at < to ? `${this.#id}-${at}` : nothing;
    return html`
      <div class="table" role="grid" tabindex="0" aria-label=${this.label} aria-rowcount=${this.#sorted.length + 1}
        aria-colcount=${this.columns.length} aria-activedescendant=${active} @scroll=${this.#look} @keydown=${this.#key}>
        <div role="rowgroup" class="table-head"><div role="row" aria-rowindex="1">${this.columns.map((each) => this.#head(each))}</div></div>
        <div role="rowgroup" class="table-body" .style=${`height: ${this.#sorted.length * this.rowHeight}px`} @pointerdown=${this.#press} @pointerup=${this.#release} @click=${this.#click}>
          ${repeat(this.#sorted.slice(from, to), this.keyOf, (row, i) => this.#row(row, from + i))}
        </div>
      </div>`;
  }

  #head({ name, label, numeric, wide }: Column<Row>) {
    const sorted = this.sort?.column === name ? (this.sort.down ? "descending" : "ascending") : "none";
    return html`
      <div role="columnheader" aria-sort=${sorted} class=${classes(numeric, wide)}>
        <button type="button" @click=${() => this.#sortBy(name)}>${label}<span class="sort" aria-hidden="true"></span></button>
      </div>`;
  }

  #row(row: Row, index: number) {
    return html`
      <div role="row" id="${this.#id}-${index}" aria-rowindex=${index + kFirstRow} aria-selected=${this.keyOf(row) === this.cursor}
        .style=${`transform: translateY(${index * this.rowHeight}px)`}>
        ${this.columns.map(
          (column) => html`
          <div role="gridcell" class=${classes(column.numeric, column.wide)} aria-label=${column.named ? column.value(row) : nothing}>${column.show ? column.show(row) : column.value(row)}</div>`,
        )}
      </div>`;
  }

  #sortBy(column: string): void {
    const again = this.sort?.column === column;
    this.sort = again && this.sort!.down ? null : { column, down: again };
  }

  #place(): number {
    const [rows, cursor] = [this.#sorted, this.cursor];
    if (this.#placed.rows !== rows || this.#placed.cursor !== cursor) {
      const at = cursor === "" ? -1 : rows.findIndex((row) => this.keyOf(row) === cursor);
      this.#placed = { rows, cursor, at };
    }
    return this.#placed.at;
  }

  #key(event: KeyboardEvent): void {
    const step = kSteps[event.key];
    const at = this.#place();
    if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    if (step) this.#choose(Math.max(0, Math.min(this.#sorted.length - 1, step(at, this.#sorted.length - 1))), "arrow");
    else if (event.key === "Enter" && at >= 0 && event.target === event.currentTarget) this.#choose(at, "enter");
    else return;
    event.preventDefault();
  }

  #press({ target, clientX, clientY }: PointerEvent): void {
    this.#pressed = { at: this.#keyAt(target), x: clientX, y: clientY };
  }

  // Chooses the row that was pressed: by now another one may be there, or none if it was scrolled away.
  #release({ clientX, clientY, button }: PointerEvent): void {
    const { at, x, y } = this.#pressed;
    this.#pressed = { at: null, x, y };
    if (button === 0 && Math.hypot(clientX - x, clientY - y) <= kSteady) this.#chooseKey(at);
  }

  // Clicks without a pointer: of keys, and of assistive tools.
  #click({ target, detail }: MouseEvent): void {
    if (detail === 0) this.#chooseKey(this.#keyAt(target));
  }

  #chooseKey(key: string | number | null): void {
    this.#choose(
      this.#sorted.findIndex((row) => this.keyOf(row) === key),
      "click",
    );
  }

  #keyAt(target: EventTarget | null): string | number | null {
    const row = this.#sorted[Number((target as Element).closest('[role="row"]')?.ariaRowIndex) - kFirstRow];
    return row === undefined ? null : this.keyOf(row);
  }

  #choose(at: number, by: Chosen<Row>["by"]): void {
    const row = this.#sorted[at];
    if (row === undefined) return;
    this.cursor = this.keyOf(row);
    this.#reveal(at);
    this.dispatchEvent(new CustomEvent<Chosen<Row>>("choose", { detail: { row, by } }));
  }
}

function classes(numeric = false, wide = false): string {
  return `${numeric ? "numeric" : ""} ${wide ? "wide" : ""}`;
}

customElements.define("data-table", DataTable);
