/** A picture reduced to its image data and orientation. */
export type StrippedImage = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> };

export function concatBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * Whether a PDF follows the picture that ends at `end`: then nobody knows which of the two the sender wanted.
 * Data that phones append (second pictures, gain maps, films) contains no PDF.
 */
export function isFollowedByPdf(bytes: Uint8Array, end: number): boolean {
  for (let at = end; at < bytes.length; at++) if (hasText(bytes, at, '%PDF-')) return true;
  return false;
}

export const ascii = (text: string) => new TextEncoder().encode(text);

export const dataViewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
