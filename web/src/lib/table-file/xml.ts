import { Parser } from 'saxen';

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
