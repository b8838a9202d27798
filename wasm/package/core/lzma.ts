// LZMA, which is a fifth smaller than the formats that browsers decompress themselves. A .lzma file, as xz writes it:
//
//     properties (1 byte) | size of the dictionary (4) | size of the content (8, little-endian) | decisions, range coded
//
// A decision is a bit, range coded by its probability, which adapts separately for each context. Decisions encode one
// of:
//
//     0                        a literal byte, in the context of the bytes around it
//     1 0      length distance a match: earlier bytes, repeated
//     1 1 0 0                  one byte at the last distance
//     1 1 0 1     length       the last distance; 1 1 1 0, 1 1 1 1 0 and 1 1 1 1 1: the one before it, and so on

const kHeader = 13;
const kStates = 12;
const kPositions = 16; // of positions the last bits are looked at, four at most
const kShortest = 2;
const kDamaged = "damaged LZMA content";

const kSure = 2048;
// The places of the coder's state.
const kRange = 0;
const kCode = 1;

// Offsets of the probabilities of each type of decision.
const kMatch = 0;
const kRepeat = kMatch + kStates * kPositions;
const kOlder = kRepeat + kStates; // not the last distance; not the one before; not the one before that
const kLong = kOlder + 3 * kStates;
const kSlot = kLong + kStates * kPositions;
const kFar = kSlot + 4 * 64;
const kAlign = kFar + 128;
const kLength = kAlign + 16;
const kLow = 2; // in lengths: after two choices, trees of 3, 3 and 8 bits
const kMiddle = kLow + kPositions * 8;
const kHigh = kMiddle + kPositions * 8;
const kRepeatLength = kLength + kHigh + 256;
const kLiteral = kRepeatLength + kHigh + 256;
const kOddsOfLiteral = 0x300;

/** Returns the contents of a .lzma file of a known size. */
export function unlzma(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = new DataView(file.buffer, file.byteOffset, kHeader);
  return new Decoder(file, header.getUint8(0), header.getUint32(5, true)).decode();
}

class Decoder {
  readonly #odds: Uint16Array;
  readonly #out: Uint8Array<ArrayBuffer>;
  readonly #lc: number;
  readonly #lp: number;
  readonly #pb: number;
  readonly #coder = new Uint32Array(2); // typed, or engines keep the two as fractions
  #at = kHeader + 5;

  constructor(
    private readonly file: Uint8Array,
    properties: number,
    size: number,
  ) {
    [this.#lc, this.#lp, this.#pb] = [properties % 9, Math.floor(properties / 9) % 5, Math.floor(properties / 45)];
    this.#odds = new Uint16Array(kLiteral + (kOddsOfLiteral << (this.#lc + this.#lp))).fill(kSure / 2);
    this.#out = new Uint8Array(size);
    this.#coder.set([2 ** 32 - 1, new DataView(file.buffer, file.byteOffset + kHeader + 1).getUint32(0)]);
  }

  decode(): Uint8Array<ArrayBuffer> {
    const out = this.#out;
    const mask = (1 << this.#pb) - 1;
    let state = 0;
    let [last, second, third, fourth] = [0, 0, 0, 0];
    for (let end = 0; end < out.length;) {
      const position = end & mask;
      if (!this.#bit(kMatch + state * kPositions + position)) {
        out[end] = this.#literal(end, state, last);
        end++;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
        continue;
      }
      let length = 1;
      const isLiteralBefore = state < 7;
      if (!this.#bit(kRepeat + state)) {
        [second, third, fourth] = [last, second, third];
        length = this.#length(kLength, position);
        last = this.#distance(length);
        state = isLiteralBefore ? 7 : 10;
      } else if (!this.#bit(kOlder + state)) {
        const isLong = this.#bit(kLong + state * kPositions + position);
        if (isLong) length = this.#length(kRepeatLength, position);
        state = isLong ? (isLiteralBefore ? 8 : 11) : isLiteralBefore ? 9 : 11;
      } else {
        if (!this.#bit(kOlder + kStates + state)) [last, second] = [second, last];
        else if (!this.#bit(kOlder + 2 * kStates + state)) [last, second, third] = [third, last, second];
        else [last, second, third, fourth] = [fourth, last, second, third];
        length = this.#length(kRepeatLength, position);
        state = isLiteralBefore ? 8 : 11;
      }
      if (last >= end || end + length > out.length) throw new Error(kDamaged);
      for (const stop = end + length; end < stop; end++) out[end] = out[end - last - 1]!;
    }
    if (this.#at > this.file.length) throw new Error(kDamaged);
    return out;
  }

  // Decodes a literal. After a match, its context includes the byte that would have continued the match.
  #literal(end: number, state: number, last: number): number {
    const before = end > 0 ? this.#out[end - 1]! : 0;
    const around = ((end & ((1 << this.#lp) - 1)) << this.#lc) + (before >> (8 - this.#lc));
    const odds = kLiteral + kOddsOfLiteral * around;
    let symbol = 1;
    if (state >= 7) {
      let likely = this.#out[end - last - 1]!;
      while (symbol < 256) {
        const wanted = (likely >> 7) & 1;
        likely <<= 1;
        const bit = this.#bit(odds + ((1 + wanted) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== wanted) break;
      }
    }
    while (symbol < 256) symbol = (symbol << 1) | this.#bit(odds + symbol);
    return symbol & 255;
  }

  #length(odds: number, position: number): number {
    if (!this.#bit(odds)) return kShortest + this.#tree(odds + kLow + position * 8, 3);
    if (!this.#bit(odds + 1)) return kShortest + 8 + this.#tree(odds + kMiddle + position * 8, 3);
    return kShortest + 16 + this.#tree(odds + kHigh, 8);
  }

  // Its highest two bits and how many follow; of those the lowest four are learned, as all are where they are few.
  #distance(length: number): number {
    const slot = this.#tree(kSlot + Math.min(length - kShortest, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + this.#reverse(kFar + high - slot, bits);
    return (high + (this.#even(bits - 4) << 4) + this.#reverse(kAlign, 4)) >>> 0;
  }

  #tree(odds: number, bits: number): number {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | this.#bit(odds + symbol);
    return symbol - (1 << bits);
  }

  // The lowest bit first.
  #reverse(odds: number, bits: number): number {
    let symbol = 1;
    let sum = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(odds + symbol);
      symbol = (symbol << 1) | bit;
      sum |= bit << i;
    }
    return sum;
  }

  // Bits of even odds.
  #even(count: number): number {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const half = this.#coder[kRange]! >>> 1;
      const bit = this.#coder[kCode]! < half ? 0 : 1;
      this.#coder[kRange] = half;
      if (bit) this.#coder[kCode]! -= half;
      sum = (sum << 1) | bit;
      this.#fill();
    }
    return sum;
  }

  #bit(at: number): number {
    const coder = this.#coder;
    const odds = this.#odds[at]!;
    const bound = (coder[kRange]! >>> 11) * odds;
    const bit = coder[kCode]! < bound ? 0 : 1;
    if (bit) {
      coder[kRange]! -= bound;
      coder[kCode]! -= bound;
      this.#odds[at] = odds - (odds >> 5);
    } else {
      coder[kRange] = bound;
      this.#odds[at] = odds + ((kSure - odds) >> 5);
    }
    this.#fill();
    return bit;
  }

  #fill(): void {
    const coder = this.#coder;
    if (coder[kRange]! >>> 24) return;
    coder[kRange]! <<= 8;
    coder[kCode] = (coder[kCode]! << 8) | this.file[this.#at++]!;
  }
}
