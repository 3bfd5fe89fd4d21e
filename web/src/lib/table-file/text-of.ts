const SAMPLE = 4096;
/** Control characters that no table has. */
const BINARY = /(?!\s)\p{Cc}/u;

/** A file's text: UTF-8 or UTF-16 with or without its mark, or else CP949 as Korean Excel saves CSV. */
export function textOf(bytes: Uint8Array): string | undefined {
  for (const encoding of encodingsOf(bytes)) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (!BINARY.test(text)) return text;
    } catch {
      // Not in this encoding.
    }
  }
  return undefined;
}

function encodingsOf(bytes: Uint8Array): readonly string[] {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  // Tabs, digits and line ends have a zero byte in UTF-16, on the one side or the other.
  let little = 0;
  let big = 0;
  for (let at = 0; at < Math.min(bytes.length, SAMPLE); at += 2) {
    if (isAscii(bytes[at]) && bytes[at + 1] === 0) little += 1;
    if (bytes[at] === 0 && isAscii(bytes[at + 1])) big += 1;
  }
  if (little + big > 0) return [little > big ? 'utf-16le' : 'utf-16be'];
  // The Encoding Standard's EUC-KR is CP949.
  return ['utf-8', 'euc-kr'];
}

const isAscii = (byte: number | undefined) => byte !== undefined && byte >= 0x09 && byte < 0x7f;
