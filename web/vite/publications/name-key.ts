/** The same for `Seojun Yoon`, `Seo-Jun Yoon` and `Seo Jun Yoon`, and for `윤서준` and `윤 서준`. */
export function nameKey(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '');
  if (words.every((word) => /^\p{Script=Hangul}+$/u.test(word))) return words.join('');
  return `${words.at(-1) ?? ''} ${words.slice(0, -1).join('')}`;
}
