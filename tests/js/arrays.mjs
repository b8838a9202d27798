// Arrays as .npy files.

const kHeader = 128;

/** Returns a .npy of one float32 array. */
export function writeArray(values) {
  const about = `{'descr': '<f4', 'fortran_order': False, 'shape': (${values.length},), }`;
  const bytes = new Uint8Array(kHeader + values.byteLength);
  bytes.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, kHeader - 10, 0]);
  bytes.set(new TextEncoder().encode(`${about.padEnd(kHeader - 11)}\n`), 10);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), kHeader);
  return bytes;
}
