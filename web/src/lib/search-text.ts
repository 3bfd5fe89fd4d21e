/** Full-width letters, digits and signs as ASCII; nothing else changes, so that ² or ⑴ is not a digit and ㅎ stays ㅎ. */
export function halfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** A text for searching: composes decomposed text from Macs, and ignores case, spaces and the width of digits. */
export function searchText(text: string): string {
  return halfWidth(text.normalize('NFC')).toLowerCase().replace(/\s+/g, '');
}
