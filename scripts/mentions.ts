/** Whether a text speaks of somebody: by a word of its own, only within a longer word, or not at all. */
export type Mention = 'whole' | 'part' | undefined;

/**
 * What may stand before and behind a word of each kind without being of it. A number or an address belongs to one person,
 * but as a whole: 20231234 is nobody in 202312345, and a@lab.test nobody in aa@lab.test.
 */
const WORDS = {
  name: { before: /[\p{L}\p{N}\p{M}]$/u, behind: /^[\p{L}\p{N}\p{M}]/u },
  id: { before: /[0-9A-Za-z._%+@-]$/, behind: /^(?:[0-9A-Za-z_%+@-]|\.[0-9A-Za-z])/ },
} as const;

/** The same letters may have come as another sequence of code points: file names of a Mac do. */
const plain = (text: string) => text.normalize('NFC').toLowerCase();

export function mentionIn(text: string, words: readonly string[], kind: keyof typeof WORDS): Mention {
  const { before, behind } = WORDS[kind];
  const searched = plain(text);
  let found: Mention;
  for (const word of words.map(plain).filter((each) => each !== '')) {
    for (let at = searched.indexOf(word); at !== -1; at = searched.indexOf(word, at + 1)) {
      const isPart = before.test(searched.slice(0, at)) || behind.test(searched.slice(at + word.length));
      if (!isPart) return 'whole';
      found = 'part';
    }
  }
  return found;
}

/** The texts of a JSON value, names of fields among them: a number in it is an amount or a count, and nobody's. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name].concat(textsIn(part)));
}
