import { expect, test } from 'vitest';
import { purgeWords } from '../../web/src/features/students/list/purge-term.tsx';

const term = { year: 2026, semester: 1 } as const;
const circuits = { ...term, subject: '회로', students: 20 };
const systems = { ...term, subject: '운영체제', students: 45 };
const earlier = { ...circuits, year: 2025 };

test('STU-8 the deletion of a term names the classes that go, and that they are more than the chosen one', () => {
  const named = '삭제되는 강의: 회로 20명, 운영체제 45명';
  const all = [circuits, systems, earlier];
  expect(purgeWords(all, term, circuits)).toEqual([
    '선택한 강의만이 아니라 이 학기의 강의 2개가 모두 삭제됩니다.',
    named,
  ]);
  expect(purgeWords(all, term, 'all')).toEqual([named]);
  expect(purgeWords(all, term, earlier)).toEqual([named]);
  expect(purgeWords([circuits], term, circuits)).toEqual(['삭제되는 강의: 회로 20명']);
  expect(purgeWords([], term, undefined)).toEqual([]);
});
