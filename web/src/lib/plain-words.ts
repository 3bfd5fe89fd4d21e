/** Invisible characters: spaces, controls and formats such as zero-width ones. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/gu;

/** Whether a text has no visible characters. */
export const isBlank = (text: string) => text.replace(UNSEEN, '') === '';

/** A text for comparison, ignoring width, case and invisible characters. */
export function plainWords(text: string): string {
  // Twice: removing characters lets letters combine, and compatibility forms may contain spaces.
  return text.replace(UNSEEN, '').normalize('NFKC').replace(UNSEEN, '').toLowerCase();
}
