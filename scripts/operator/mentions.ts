/** Whether a text mentions somebody: as a word of its own, only as part of a longer word, or not at all. */
type Mention = 'whole' | 'part' | undefined;

/**
 * Characters that may not adjoin a match of each kind. A number or an email address identifies a person, but only as a
 * whole: 20231234 is not mentioned in 202312345, nor a@lab.test in aa@lab.test.
 */
const WORDS = {
  name: { before: /[\p{L}\p{N}\p{M}]$/u, behind: /^[\p{L}\p{N}\p{M}]/u },
  id: { before: /[0-9A-Za-z._%+@-]$/, behind: /^(?:[0-9A-Za-z_%+@-]|\.[0-9A-Za-z])/ },
} as const;

/** The same letters may be encoded as different code points, as in file names from a Mac. */
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

/** The strings in a JSON value, including field names. Numbers are amounts or counts, which identify nobody. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name].concat(textsIn(part)));
}
