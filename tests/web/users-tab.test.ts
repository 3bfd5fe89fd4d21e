import { LEVELS, type SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLevel, userEntries } from '../../web/src/features/users/components/users-tab.tsx';
import { filterByEveryWord } from '../../web/src/lib/search-text.ts';
import { propertyRuns } from '../support/counts.ts';

const user = (id: number, name: string, email: string, level: SecureLevel, number: string | null): User => ({
  id,
  name,
  email,
  secure_level: level,
  univ_id: number,
  univ_id_verified: false,
});
const entries = userEntries([
  user(1, '송바다', 'bada@lab.test', 1, null),
  user(2, '최나래', 'narae@lab.test', 5, '202412347'),
  user(3, '', 'unnamed@other.test', 10, null),
]);

test.each([
  ['', [1, 2, 3]],
  ['나래', [2]],
  ['ㅅㅂㄷ', [1]],
  ['LAB.test', [1, 2]],
  ['guest', [3]],
  ['lab member', [2]],
  ['２０２４', [2]],
  ['송바다'.normalize('NFD'), [1]],
  ['나래 admin', []],
])('USER-7 %j finds users %j', (words, ids) => {
  expect(filterByEveryWord(entries, words).map(({ id }) => id)).toEqual(ids);
});

test('USER-7 the role is read of the address as a level, and as nothing else', () => {
  const options = propertyRuns(200, 5000);
  expect(LEVELS.map((level) => readLevel({ level }))).toEqual(LEVELS);
  fc.assert(
    fc.property(fc.anything(), (level) => {
      expect([undefined, ...LEVELS]).toContain(readLevel({ level }));
    }),
    options,
  );
});
