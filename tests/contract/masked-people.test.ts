import { maskPeople } from '#contract/access-log';
import { expect, test } from 'vitest';

test.each([
  ['홍길동 열람 요청', ['홍길동'], '○○○ 열람 요청'],
  ['홍 길동의 자료(홍길동)', ['홍길동'], '○○○의 자료(○○○)'],
  ['김민수와 김민', ['김민', '김민수'], '○○○와 ○○○'],
  // Of two letters, a name is one only where a word begins.
  ['허준의 요청, 기허준', ['허준'], '○○○의 요청, 기허준'],
  ['Ann Lee, ANN LEE', ['Ann Lee'], '○○○, ○○○'],
  ['(가)+[나]*', ['(가)+[나]*'], '○○○'],
  ['홍길동'.normalize('NFD'), ['홍길동'], '○○○'],
  ['a.b@lab.test, 202112345 / 010-1234-5678 / 02-123-4567', [], '○○○, ○○○ / ○○○ / ○○○'],
  ['2026년 1학기 감사, 3,000명, 2026-03-02', [], '2026년 1학기 감사, 3,000명, 2026-03-02'],
  ['학과 제출', ['', ' '], '학과 제출'],
])('SEC-58 what is said of people is masked in the log: %j', (text, names, masked) => {
  expect(maskPeople(text, names)).toBe(masked);
});

/** What looks like the name or the number to whoever reads it. */
const disguises: [what: string, (text: string) => string][] = [
  ['taken apart, as in names of files from a Mac', (text) => text.normalize('NFD')],
  ['with other spaces', (text) => Array.from(text).join('\u00a0')],
  ['with wide spaces and tabs', (text) => Array.from(text).join('\u3000\t')],
  ['with what nobody sees', (text) => Array.from(text).join('\u200b')],
  ['with what joins words', (text) => Array.from(text).join('\u2060')],
];

test.each(disguises)('SEC-79 a name is masked also %s', (_, disguise) => {
  expect(maskPeople(`${disguise('홍길동')} 열람`, ['홍길동'])).toBe('○○○ 열람');
  expect(maskPeople('홍길동 열람', [disguise('홍길동')])).toBe('○○○ 열람');
});

test.each(['２０２１１２３４５', '010‑1234‑5678', '010–1234–5678', 'a＠lab.test', '2021\u200b12345'])(
  'SEC-79 numbers and addresses are masked however they are spelled: %s',
  (text) => {
    expect(maskPeople(text, [])).toBe('○○○');
  },
);
