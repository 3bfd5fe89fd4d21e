const DECODER = new TextDecoder('euc-kr');

/** The bytes of each character that CP949 has. */
const bytesOf = new Map<string, number[]>();
for (let first = 0x81; first <= 0xfe; first++) {
  for (let second = 0x41; second <= 0xfe; second++) {
    const letter = DECODER.decode(new Uint8Array([first, second]));
    if (letter.length === 1 && letter !== '\ufffd') bytesOf.set(letter, [first, second]);
  }
}

/** A text as Korean Excel saves it as CSV. */
export function cp949(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(text.split('').flatMap((letter) => bytesOf.get(letter) ?? letter.charCodeAt(0)));
}
