const INSTEAD = '엑셀 통합 문서(.xlsx)나 CSV로 저장해 선택하거나, 표를 복사해 붙여넣으세요.';
export const MACROS_REFUSED_TEXT = `매크로가 들어 있거나 들어갈 수 있는 파일은 읽지 않습니다. ${INSTEAD}`;

/** First bytes of files that are not tables. */
const beginnings: readonly { name: string; bytes: readonly number[] }[] = [
  { name: 'PDF', bytes: [0x25, 0x50, 0x44, 0x46] },
  { name: '한글 문서', bytes: ascii('HWP Document File') },
  { name: '그림', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { name: '그림', bytes: [0xff, 0xd8, 0xff] },
  { name: '그림', bytes: ascii('GIF8') },
  { name: '그림', bytes: ascii('RIFF') },
  { name: '그림', bytes: ascii('BM') },
  { name: '압축', bytes: [0x37, 0x7a, 0xbc, 0xaf] },
  { name: '압축', bytes: ascii('Rar!') },
  { name: '압축', bytes: [0x1f, 0x8b] },
  { name: 'XML', bytes: ascii('<?xml') },
];
/** First bytes of the container format of .xls, .hwp, .doc and password-protected Office files. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
const HTML = /^(?:ï»¿|ÿþ|þÿ)?\s*<(?:!doctype|!--|html|head|body|meta|style|table|div)/i;

type FileKind = { kind: 'xlsx' | 'html' | 'text' } | { refusal: string };

/** How a file is read, judged by its name and first bytes, or why it cannot be read. */
export function fileKindOf(name: string, bytes: Uint8Array): FileKind {
  if (/\.xl(?:sm|tm|am)$/i.test(name)) return { refusal: MACROS_REFUSED_TEXT };
  if (/\.xlsb$/i.test(name)) return { refusal: `바이너리 통합 문서(.xlsb)는 읽을 수 없습니다. ${INSTEAD}` };
  const [, other] = /\.(ods|numbers)$/i.exec(name) ?? [];
  if (other !== undefined)
    return {
      refusal: `${other.toUpperCase()} 파일은 읽을 수 없습니다. 그 프로그램에서 .xlsx로 저장해 선택하거나, 표를 복사해 붙여넣으세요.`,
    };
  if (begins(bytes, COMPOUND)) return compoundKind(bytes);
  if (begins(bytes, ascii('PK'))) return { kind: 'xlsx' };
  const known = beginnings.find((each) => begins(bytes, each.bytes));
  if (known) return { refusal: notATableText(known.name) };
  // In UTF-16, every other byte of ASCII text is zero.
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4000)).replaceAll('\0', '');
  return { kind: HTML.test(start) ? 'html' : 'text' };
}

export const notATableText = (name: string) => `표 파일이 아닙니다(${name}). ${INSTEAD}`;

function compoundKind(bytes: Uint8Array): FileKind {
  // The container's entries have names in UTF-16.
  const holds = (name: string) =>
    includes(
      bytes,
      ascii(name).flatMap((byte) => [byte, 0]),
    );
  if (holds('EncryptedPackage'))
    return { refusal: '비밀번호가 걸린 파일입니다. 비밀번호를 풀고 저장한 뒤 다시 선택하세요.' };
  if (holds('HwpSummaryInformation')) return { refusal: notATableText('한글 문서') };
  if (holds('Workbook') || holds('Book'))
    return { refusal: `옛 엑셀 파일(.xls)은 읽지 않습니다. 엑셀에서 열어 ${INSTEAD}` };
  return { refusal: notATableText('다른 프로그램의 문서') };
}

function begins(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function includes(bytes: Uint8Array, part: readonly number[]): boolean {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (begins(bytes.subarray(at, at + part.length), part)) return true;
  return false;
}

/** A function declaration, because the constants above call it. */
function ascii(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

/** Thrown if a file turns out to be unreadable. */
export class TableRefusal extends Error {}

export const refusalText = (error: unknown) =>
  error instanceof TableRefusal
    ? error.message
    : '손상되었거나 읽을 수 없는 엑셀 파일입니다. 엑셀에서 열어 다시 저장하거나 표를 복사해 붙여넣으세요.';
