type Cell = string | number;

/** A file that Excel opens right: UTF-8 with a byte order mark, RFC 4180. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => quoted(harmless(cell), /[",\r\n]/)).join(','));
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
}

/** Text for the clipboard that a spreadsheet takes as cells. */
export function toTsv(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((cells) => cells.map((cell) => quoted(harmless(cell), /["\t\r\n]/)).join('\t'))
    .join('\r\n');
}

/** A phone number with hyphens, so that a spreadsheet takes it for a text and keeps its leading zero. */
export function phoneText(tel: string): string {
  const match = /^(02|0\d\d)(\d{3,4})(\d{4})$/.exec(tel);
  return match ? match.slice(1).join('-') : tel;
}

/** A spreadsheet would run a text that begins like a formula. https://owasp.org/www-community/attacks/CSV_Injection */
function harmless(cell: Cell): string {
  const isFormula = typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell);
  return isFormula ? `'${cell}` : String(cell);
}

function quoted(text: string, special: RegExp): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
