import { format, isDateFormat } from 'numfmt';

/** Formats that a workbook names by number alone, as Korean Excel shows them. */
const builtIn: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"₩"#,##0;-"₩"#,##0',
  6: '"₩"#,##0;-"₩"#,##0',
  7: '"₩"#,##0.00;-"₩"#,##0.00',
  8: '"₩"#,##0.00;-"₩"#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  27: 'yyyy"年" mm"月" dd"日"',
  28: 'mm-dd',
  29: 'mm-dd',
  30: 'mm-dd-yy',
  31: 'yyyy"년" mm"월" dd"일"',
  32: 'h"시" mm"분"',
  33: 'h"시" mm"분" ss"초"',
  34: 'yyyy-mm-dd',
  35: 'yyyy-mm-dd',
  36: 'yyyy"年" mm"月" dd"日"',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  41: '#,##0;-#,##0;"-"',
  42: '"₩"#,##0;-"₩"#,##0;"₩-"',
  43: '#,##0.00;-#,##0.00;"-"??',
  44: '"₩"#,##0.00;-"₩"#,##0.00;"₩-"??',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年" mm"月" dd"日"',
  51: 'mm-dd',
  52: 'yyyy-mm-dd',
  53: 'yyyy-mm-dd',
  54: 'mm-dd',
  55: 'yyyy-mm-dd',
  56: 'yyyy-mm-dd',
  57: 'yyyy"年" mm"月" dd"日"',
  58: 'mm-dd',
};

const DAYS_TO_1904 = 1462;
const MS_PER_DAY = 86_400_000;
const SERIAL_OF_1970 = 25_569;

export function builtInFormat(id: number): string {
  return builtIn[id] ?? 'General';
}

/** What a cell with a number shows. */
export function numberText(raw: string, pattern: string, is1904: boolean): string {
  const value = Number(raw);
  if (!Number.isFinite(value)) return raw;
  // General would shorten long ids to an exponent, as Excel alone does. Nothing is lost on purpose.
  if (isGeneral(pattern)) return Number.isSafeInteger(value) ? String(value) : shown('General', value);
  return shown(pattern, is1904 && isDateFormat(pattern) ? value + DAYS_TO_1904 : value);
}

/** `2026-03-02T00:00:00Z`, as a few programs write dates. */
export function isoDateText(raw: string, pattern: string): string {
  const serial =
    Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(raw) || !raw.includes('T') ? raw : `${raw}Z`) / MS_PER_DAY;
  const hasTime = !Number.isInteger(serial);
  const own = isGeneral(pattern) ? (hasTime ? 'yyyy-mm-dd h:mm' : 'yyyy-mm-dd') : pattern;
  return Number.isNaN(serial) ? raw : shown(own, serial + SERIAL_OF_1970);
}

/** What a cell with a text shows: a format may put words around it. */
export function wordsText(raw: string, pattern: string): string {
  return pattern.includes('@') && pattern !== '@' ? shown(pattern, raw) : raw;
}

const isGeneral = (pattern: string) => pattern === '@' || /^general$/i.test(pattern);

function shown(pattern: string, value: number | string): string {
  try {
    return format(pattern, value);
  } catch {
    return String(value);
  }
}
