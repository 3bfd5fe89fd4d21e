import { cellRef, type Sheet } from 'hucre';
import { bareFormat, numberOfCell, plainNumber } from './cell-text.ts';

/* Finds cells that look different in a spreadsheet than they are read, because of their number format. */

/** A cell, what a spreadsheet shows in it, and the text that was read. */
export type DrawnCell = { row: number; column: number; cell: string; shown: string; read: string };

/** Matches a part of a section: a quoted or escaped text, what has a function, the value, or another text. */
const PART = /"([^"]*)"?|\\(.)|[_*].|\[[^\]]*\]|(general|[0#?][0#?.,]*|@)|[.,/E+]|(.)/gi;
/** Signs around a number, and the currency of all amounts, say no more than the number. */
const SIGNS = /[\s()[\]+\-−–.,:'%△▲▼\p{Sc}]|^\s*원\s*$/gu;
/** Matches a section that puts digits directly beside the number: `"20"0000000`. */
const ADDS_DIGITS = /\d"[0#?]|[0#?]"\d/;
const CONDITION = /\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/;
/** Matches a number as it is read if its format adds nothing to it. */
const PLAIN = /^-?[\d.]+%?$/;

type Section = { source: string; literal: string; words: string; hasValue: boolean };
type Found = {
  row: number;
  column: number;
  section: Section;
  kind: string;
  key: string;
  value: number | string;
};
type Format = { numbers: readonly Section[]; text: Section | undefined };

/**
 * Cells whose format hides the value or adds words to it, such as `85(재)`. If more than half of a column's
 * values have the same words, these are a unit: `85점`.
 * @param texts the cells' texts, as they are read
 */
export function drawnCells(
  { rows, cells }: Pick<Sheet, 'rows' | 'cells'>,
  texts: readonly (readonly string[])[],
  is1904: boolean,
): DrawnCell[] {
  const formats = new Map<string, Format>();
  const counts = new Map<string, number>();
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const found: Found[] = [];
  for (const [row, values] of rows.entries())
    for (const [column, held] of values.entries()) {
      const code = cells?.get(`${row},${column}`)?.style?.numFmt ?? 'General';
      const value = typeof held === 'string' ? held : numberOfCell(held, code, is1904);
      if (value === undefined || value === '') continue;
      const kind = `${column} ${typeof value}`;
      count(kind);
      const format = formats.get(code) ?? formatOf(code);
      formats.set(code, format);
      const section = typeof value === 'string' ? format.text : sectionFor(value, format.numbers);
      if (!section || (section.words === '' && (section.hasValue || value === 0))) continue;
      if (typeof value === 'number' && !PLAIN.test(texts[row]?.[column] ?? '')) continue;
      const key = `${kind} ${section.words}`;
      count(key);
      // A section of its own for negative numbers shows them without a sign.
      const isSigned = typeof value === 'string' || format.numbers.length === 1;
      found.push({ row, column, section, kind, key, value: isSigned ? value : Math.abs(value) });
    }
  const isUnit = ({ kind, key, section }: Found) =>
    section.hasValue &&
    !ADDS_DIGITS.test(section.source) &&
    2 * (counts.get(key) ?? 0) > (counts.get(kind) ?? 0);
  return found
    .filter((each) => !isUnit(each))
    .map(({ row, column, section, value }) => {
      const read = texts[row]?.[column] ?? '';
      return { row, column, cell: cellRef(row, column), shown: shownText(section, value), read };
    })
    .filter(({ shown, read }) => shown !== read);
}

/** The sections of a format, which end with semicolons: for numbers, and for text. */
function formatOf(code: string): Format {
  if (code === 'General' || code === '@') return { numbers: [], text: undefined };
  const all = code
    .slice(0, 255)
    .replace(/("[^"]*"?|\\.)|;/g, (_, kept?: string) => kept ?? '\0')
    .split('\0')
    .map(parseSection);
  const text = all[3] ?? all.findLast(({ source }) => bareFormat(source).includes('@'));
  return { numbers: all.length === 1 ? all : all.slice(0, 3).filter((section) => section !== text), text };
}

function parseSection(source: string): Section {
  const literal = source.replace(PART, '$1$2$4');
  const hasValue = /[0#?@]|general/i.test(bareFormat(source)) || /^(?:\[[^\]]*\])+$/.test(source);
  return { source, literal, words: literal.replace(SIGNS, ''), hasValue };
}

/** The section for a number: the first whose condition holds. Without conditions, they are for >0, <0 and 0. */
function sectionFor(value: number, sections: readonly Section[]): Section | undefined {
  return sections.find(({ source }, at) => {
    const [, sign = '', limit] = CONDITION.exec(source) ?? [];
    if (limit === undefined && at === sections.length - 1) return true;
    if (limit === undefined && at === 1) return value < 0;
    if (limit === undefined) return value > 0 || (sections.length === 2 && value === 0);
    const difference = value - Number(limit);
    return sign.includes(difference < 0 ? '<' : difference > 0 ? '>' : '=');
  });
}

function shownText({ source, literal, hasValue }: Section, value: number | string): string {
  if (!hasValue) return literal.trim();
  let text = typeof value === 'string' ? value : numberText(bareFormat(source), value);
  return source
    .replace(PART, (_, quoted = '', escaped = '', place?: string, other = '') => {
      if (place === undefined) return `${quoted}${escaped}${other}`;
      const shown = text;
      text = '';
      return shown;
    })
    .trim();
}

/** A number with the decimals, leading zeros and commas of its format. */
function numberText(format: string, value: number): string {
  const [places] = /[0#?][0#?.,]*/.exec(format) ?? [];
  if (places === undefined) return plainNumber(value);
  const [whole = '', decimals = ''] = places.split('.');
  const scale = (format.includes('%') ? 100 : 1) / 1000 ** (/,*$/.exec(places)?.[0].length ?? 0);
  const zeros = (text: string) => text.replace(/[^0]/g, '').length;
  return (value * scale).toLocaleString('en', {
    useGrouping: /,./.test(whole),
    minimumIntegerDigits: Math.max(1, zeros(whole)),
    minimumFractionDigits: zeros(decimals),
    maximumFractionDigits: decimals.replace(/,/g, '').length,
  });
}
