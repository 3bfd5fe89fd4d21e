import { plainWords } from '../../../lib/search-text.ts';

/** Says no more than the sign of the amount does. */
const MERE_DIRECTION = /^(?:입금|출금|지급|입|출)$/;

/**
 * An entry's description: the payee first, then the memo, and the way of payment in brackets. Nothing is said twice, and
 * nothing that the statement says is dropped.
 */
export function statementWords({ description = '', memo = '', kind = '' }): string {
  const words = [description, memo].filter(hasWords).reduce<string[]>(withNew, []);
  const way = hasWords(kind) && !MERE_DIRECTION.test(kind) ? kind : '';
  const isNew = way !== '' && withNew(words, way).length > words.length;
  if (words.length === 0) return way === '' ? description : way;
  return isNew ? `${words.join(' ')} (${way})` : words.join(' ');
}

/** Banks put a dash where nothing was said. */
const hasWords = (text: string) => !/^[-–—]?$/.test(text.trim());

function withNew(words: string[], text: string): string[] {
  const said = plainWords(words.join(''));
  return said.includes(plainWords(text)) ? words : [...words, text];
}
