/** What nobody sees: spaces, controls and formats such as the zero-width ones. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/gu;

/** Whether there is anything to be seen. */
export const isBlank = (text: string) => text.replace(UNSEEN, '') === '';

/** The text for comparing: width, case and what nobody sees make no other words. */
export function plainWords(text: string): string {
  // Twice: without what stood between them letters join, and compatible forms may hold spaces.
  return text.replace(UNSEEN, '').normalize('NFKC').replace(UNSEEN, '').toLowerCase();
}
