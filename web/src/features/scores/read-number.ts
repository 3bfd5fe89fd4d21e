import { asciiText } from '../../lib/paste-table.ts';

/**
 * The number in a cell: `85`, `85.5`, `1,000`, `８５`, `85점`, `93%`. Undefined for anything else, including what
 * JavaScript would accept (`1e3`, `0x10`, `Infinity`).
 */
export function readNumber(cell: string): number | undefined {
  const digits = readDigits(cell);
  return digits === undefined ? undefined : Number(digits);
}

/** The same as plain digits, for arithmetic that is exact in decimal. */
export function readDigits(cell: string): string | undefined {
  const text = asciiText(cell).replace(/\s*(점|회|%)$/, '');
  return /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) || /^[+-]?\.\d+$/.test(text)
    ? text.replaceAll(',', '')
    : undefined;
}
