import { maskPeople } from '#contract/access-log';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';

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

const spelled = (parts: string[], signs: readonly string[]) =>
  fc
    .array(fc.constantFrom(...signs), { minLength: parts.length - 1, maxLength: parts.length - 1 })
    .map((between) => parts.map((part, at) => part + (between[at] ?? '')).join(''));
const SIGNS = ['', '-', ' ', '.', '/', ' - ', '‑', '–', ')', ') ', '·', '_', '\u200b'] as const;
/** Scripts whose digits anybody can type. */
const inScript = fc
  .constantFrom(0x30, 0xff10, 0x0660, 0x06f0, 0x0966, 0x0e50)
  .map(
    (zero) => (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  );
const phones = fc
  .tuple(
    fc.constantFrom('010', '(010', '+82-10', '+82 10', '0082 10', '+82 (0)10', '02', '(031', '070'),
    fc.constantFrom('1234', '123', '1 2 3 4'),
  )
  .chain(([area, middle]) => spelled([area, middle, '5678'], SIGNS));
const residents = spelled(['900101', '1234567'], SIGNS);
const students = spelled(['2022', '91140'], ['', '-', ' ', '.', '/', '_', '–']);
const mails = fc
  .tuple(
    fc.constantFrom('kim', 'kim.na', 'KIM_1'),
    fc.constantFrom('@', '＠', ' [at] ', '(at)', ' at ', '[골뱅이]', '{@}', ' @ '),
    fc.constantFrom('univ.test', 'cs.univ.test', 'univ[dot]test', 'univ (dot) test'),
  )
  .map((parts) => parts.join(''));
const names = spelled(['연', '나', '래'], ['', ' ', '.', '-', '·', '/', '_', ', ', '\u200b', '*']);

test('SEC-98 no telephone, resident, student number, mail address or name stays, however it is spelled', () => {
  fc.assert(
    fc.property(
      fc.oneof(phones, residents, students),
      inScript,
      fc.constantFrom('', '전화 ', '(', '열람: '),
      (number, script, before) => {
        expect(maskPeople(`${before}${script(number)} 열람`, [])).not.toMatch(/\p{Nd}/u);
      },
    ),
    propertyRuns(500),
  );
  fc.assert(
    fc.property(mails, (mail) => {
      expect(maskPeople(`열람 ${mail}`, [])).not.toMatch(/kim|univ/i);
    }),
    propertyRuns(),
  );
  fc.assert(
    fc.property(names, (name) => {
      expect(maskPeople(`열람 ${name}`, ['연나래'])).toBe('열람 ○○○');
    }),
    propertyRuns(),
  );
});

test.each([
  ['주민 900101-1******', '주민 ○○○'],
  ['2026년 1학기, 3,000명, 2026-03-02 14:05:33, 2026.03.02', null],
  ['예산 12,345,678원, 30분, 제10-2호', null],
])('SEC-98 %s', (text, masked) => {
  expect(maskPeople(text, [])).toBe(masked ?? text);
});
