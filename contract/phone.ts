/**
 * Formats a Korean telephone number with the usual hyphens, which also make spreadsheets keep the leading
 * zero. `+82 10-1234-5678` and `01012345678` give the same text. Any other text is returned unchanged.
 */
export function phoneText(tel: string): string {
  const digits = tel
    .trim()
    .replace(/[\s().-]/g, '')
    .replace(/^(?:\+|00)820?/, '0');
  const match = /^(02|0\d\d)(\d{3,4})(\d{4})$/.exec(digits);
  return match ? match.slice(1).join('-') : tel;
}
