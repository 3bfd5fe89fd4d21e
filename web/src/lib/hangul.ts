const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const SYLLABLES_PER_INITIAL = 588;
const SYLLABLES_PER_VOWEL = 28;

/** A name's initial consonants (초성): `홍길동` is `ㅎㄱㄷ`. Other characters and the length are unchanged. */
export function initialConsonants(text: string): string {
  let initials = '';
  for (let at = 0; at < text.length; at += 1) initials += initialAt(text, at);
  return initials;
}

/**
 * Whether a text contains a word, where a single consonant matches every syllable that begins with it, as in
 * `홍ㄱㄷ`. Browsers also deliver such a consonant while a syllable is being typed: `홍ㄱ` before `홍길`.
 * @param initials of the text, computed once for many words
 */
export function containsInitials(text: string, initials: string, word: string): boolean {
  for (let start = 0; start + word.length <= text.length; start += 1) {
    let length = 0;
    while (length < word.length && isSameLetter(text, initials, start + length, word[length])) length += 1;
    if (length === word.length) return true;
  }
  return false;
}

/** The topic particle: `결시는`, `병결은`, `90점은`. Shows both forms if the pronunciation is unknown. */
export function topicParticle(word: string): '은' | '는' | '은(는)' {
  const isClosed = endsInConsonant(word);
  return isClosed === undefined ? '은(는)' : isClosed ? '은' : '는';
}

/** The subject particle: `학번이`, `학과가`. */
export function subjectParticle(word: string): '이' | '가' | '이(가)' {
  const isClosed = endsInConsonant(word);
  return isClosed === undefined ? '이(가)' : isClosed ? '이' : '가';
}

/** Whether a spoken word ends in a consonant; undefined if unknown. */
function endsInConsonant(word: string): boolean | undefined {
  const last = word.toLowerCase().codePointAt(word.length - 1) ?? 0;
  if (last >= FIRST_SYLLABLE && last <= LAST_SYLLABLE)
    return (last - FIRST_SYLLABLE) % SYLLABLES_PER_VOWEL !== 0;
  const letter = String.fromCodePoint(last);
  // Digits and letters whose Korean names end in a consonant: 영, 일, 삼, 육, 칠, 팔; 엘, 엠, 엔, 알
  return /[\da-z]/.test(letter) ? '013678lmnr'.includes(letter) : undefined;
}

/** Whether a word contains a single consonant, such as ㄱ. */
export function hasInitials(word: string): boolean {
  return /[ㄱ-ㅎ]/.test(word);
}

function isSameLetter(text: string, initials: string, at: number, letter: string | undefined): boolean {
  return text[at] === letter || initials[at] === letter;
}

function initialAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return text.charAt(at);
  return INITIALS.charAt(Math.floor((code - FIRST_SYLLABLE) / SYLLABLES_PER_INITIAL));
}
