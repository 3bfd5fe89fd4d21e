import { expect, test } from 'vitest';
import type { RosterPreview } from '#contract/students';
import { preservedText } from '../../web/src/features/students/import/roster-imports.tsx';
import { storeUnlessChanged } from '../../web/src/features/students/import/roster-preview.ts';
import { ApiError } from '../../web/src/lib/api-error.ts';

const person = { name: '가람', department: '', tel: '010-1111-1111', email: '' };
const shown = (version: string, tel = person.tel): RosterPreview => ({
  rows: [
    {
      id: '1000',
      before: { ...person, tel },
      after: person,
      enrolment: null,
      by_hand: [],
      dropped: false,
      newer: null,
    },
  ],
  alike: [],
  missing: [],
  version,
});

/** A server whose roster is at the last of these previews. */
function server(...previews: [RosterPreview, ...RosterPreview[]]) {
  const sent: string[] = [];
  const store = (version: string) => {
    sent.push(version);
    return version === previews.at(-1)?.version
      ? Promise.resolve()
      : Promise.reject(new ApiError(409, { message: '그 사이에 명단이 바뀌었습니다', field: 'If-Match' }));
  };
  let asked = 0;
  const compare = () => Promise.resolve(previews[Math.min(++asked, previews.length - 1)] ?? previews[0]);
  return { sent, done: storeUnlessChanged(previews[0], store, compare) };
}

test('STU-6 what was shown is stored when nothing of it has changed, whatever else has', async () => {
  const { sent, done } = server(shown('a'), shown('b'), shown('c'));
  await done;
  expect(sent).toEqual(['a', 'b', 'c']);
});

test('STU-6 what a colleague has changed since it was shown is not overwritten unseen', async () => {
  const { sent, done } = server(shown('a'), shown('b', '010-2222-2222'));
  await expect(done).rejects.toThrow('그 사이에 명단이 바뀌었습니다');
  expect(sent).toEqual(['a']);
});

test('STU-6 a roster that never stands still is given up', async () => {
  const { sent, done } = server(shown('a'), shown('b'), shown('c'), shown('d'));
  await expect(done).rejects.toThrow('그 사이에 명단이 바뀌었습니다');
  expect(sent).toEqual(['a', 'b', 'c']);
});

test('IMP-4 IMP-11 whose corrections an undo kept is said with the fields', () => {
  expect(preservedText({ id: '1000', name: '가람', fields: ['tel', 'year'] })).toBe(
    '가람 1000: 연락처, 학년',
  );
  expect(preservedText({ id: '1001', name: '나래', fields: ['enrolment'] })).toBe('나래 1001: 수강 여부');
  expect(preservedText({ id: '1002', name: null, fields: ['student'] })).toBe('1002: 삭제됨');
});
