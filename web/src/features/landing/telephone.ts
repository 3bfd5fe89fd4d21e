/** A number as a link, which a phone abroad can call too: `02-555-0142` is `tel:+82-2-555-0142`. */
export function telephoneAddress(phone: string): string {
  return `tel:${phone
    .trim()
    .replace(/^0/, '+82-')
    .replaceAll(/[^\d+]+/g, '-')}`;
}
