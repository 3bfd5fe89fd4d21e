/** Full-width letters, digits and signs as ASCII; nothing else changes, so that ² or ⑴ is no digit and ㅎ stays ㅎ. */
export function halfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/**
 * A text as searches compare it: what is typed on a Mac may be decomposed, names may be written with a space, and digits
 * in full width.
 */
export function searchText(text: string): string {
  return halfWidth(text.normalize('NFC')).toLowerCase().replace(/\s+/g, '');
}
