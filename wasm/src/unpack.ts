/** The bytes of a file that was deflated and written in base64. */
export async function unpack(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Response(packed).body!.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}
