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
