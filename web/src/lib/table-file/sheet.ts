import { Parser } from 'saxen';
import { isoDateText, numberText, wordsText } from './cell-text.ts';
import { TableRefusal } from './file-kind.ts';

/** What the cells of a workbook refer to. */
export type Book = { strings: readonly string[]; formats: readonly string[]; is1904: boolean };

const ROWS_MAX = 100_000;
const COLUMNS_MAX = 500;
const CELLS_MAX = 2_000_000;

/** Texts that cells share, each with the runs of a formatted one joined and without its pronunciation. */
export function readSharedStrings(bytes: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  if (!bytes) return strings;
  let text = '';
  const reader = textReader((part) => (text += part));
  walkXml(bytes, {
    open: (name) => {
      if (name === 'si') text = '';
      reader.open(name);
    },
    close: (name) => {
      reader.close(name);
      if (name === 'si') strings.push(unescaped(text));
    },
    text: reader.text,
  });
  return strings;
}

/** The cells of a sheet as they are shown. A row or cell without a number follows the one before. */
export function readSheet(bytes: Uint8Array, book: Book): string[][] {
  const rows: string[][] = [];
  let row = -1;
  let column = -1;
  let type = 'n';
  let style = 0;
  let raw = '';
  const reader = textReader((part) => (raw += part));
  walkXml(bytes, {
    open: (name, attributes) => {
      if (name === 'row') {
        const { r } = attributes();
        row = r === undefined ? row + 1 : Number(r) - 1;
        column = -1;
      } else if (name === 'c') {
        const { r, t = 'n', s = '0' } = attributes();
        column = r === undefined ? column + 1 : columnOf(r);
        type = t;
        style = Number(s);
        raw = '';
      }
      reader.open(name);
    },
    close: (name) => {
      reader.close(name);
      if (name !== 'c' || raw === '') return;
      if (row >= ROWS_MAX || column >= COLUMNS_MAX) tooLarge();
      while (rows.length <= row) rows.push([]);
      const cells = rows[row] ?? [];
      while (cells.length < column) cells.push('');
      cells[column] = shownText(raw, type, book.formats[style] ?? 'General', book);
    },
    text: reader.text,
  });
  return rectangle(rows);
}

/** As wide in every row as what is copied of it. */
function rectangle(rows: string[][]): string[][] {
  let width = 0;
  for (const { length } of rows) width = Math.max(width, length);
  if (rows.length * width > CELLS_MAX) tooLarge();
  for (const cells of rows) while (cells.length < width) cells.push('');
  return rows;
}

function tooLarge(): never {
  throw new TableRefusal(
    `표가 너무 큽니다. ${ROWS_MAX.toLocaleString('ko')}행, ${COLUMNS_MAX}열까지 읽을 수 있습니다. 필요한 시트만 따로 저장하세요.`,
  );
}

function shownText(raw: string, type: string, pattern: string, { strings, is1904 }: Book): string {
  switch (type) {
    case 's':
      return wordsText(strings[Number(raw)] ?? '', pattern);
    case 'str':
    case 'inlineStr':
      return wordsText(unescaped(raw), pattern);
    case 'b':
      return raw === '1' ? 'TRUE' : 'FALSE';
    case 'd':
      return isoDateText(raw, pattern);
    case 'e':
      return raw;
    default:
      return numberText(raw, pattern, is1904);
  }
}

/** Passes on what stands in `<v>` and `<t>`, but not the pronunciation of a text (`<rPh>`). */
function textReader(take: (part: string) => void) {
  let isText = false;
  let isSpoken = false;
  return {
    open: (name: string) => {
      if (name === 'rPh') isSpoken = true;
      isText = name === 'v' || name === 't';
    },
    close: (name: string) => {
      if (name === 'rPh') isSpoken = false;
      isText = false;
    },
    text: (part: string) => {
      if (isText && !isSpoken) take(part);
    },
  };
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}

/** Control characters are written as `_x000D_`. */
function unescaped(text: string): string {
  if (!/_x|\r/.test(text)) return text;
  return text
    .replace(/_x([\da-f]{4})_/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n');
}

type Attributes = Readonly<Record<string, string>>;
type Hooks = {
  open: (name: string, attributes: () => Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

/** Walks through XML. Names come without their prefix, because some programs write `<x:row>` and others `<row>`. */
export function walkXml(bytes: Uint8Array, { open, close, text }: Hooks): void {
  const parser = new Parser();
  parser.on('openTag', (name, attributes) => open(local(name), () => plain(attributes())));
  if (close) parser.on('closeTag', (name) => close(local(name)));
  if (text) {
    parser.on('text', (value) => text(decoded(value)));
    parser.on('cdata', text);
  }
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  parser.parse(new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes));
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

function plain(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [local(name), decoded(value)]));
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The parser's own decoder breaks characters beyond 16 bits. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = '') => {
      if (hex === undefined && decimal === undefined) return named[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
