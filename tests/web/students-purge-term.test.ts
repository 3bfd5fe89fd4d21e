import { expect, test } from 'vitest';
import type { RosterCourse } from '#contract/students';
import { purgeWarningText } from '../../web/src/features/students/list/purge-term.tsx';

const term = { year: 2026, semester: 1 } as const;
const circuits = { ...term, subject: '회로', students: 20 };
const systems = { ...term, subject: '운영체제', students: 45 };
const countOf = (courses: RosterCourse[]) => ({ courses, students: 4, left: 0 });
const earlier = { ...circuits, year: 2025 };

test('STU-8 the deletion of a term names the classes that go, and that they are more than the chosen one', () => {
  const named = '삭제되는 강의: 회로 20명, 운영체제 45명';
  const all = countOf([circuits, systems, earlier]);
  const going = '다른 학기 기록이 없는 학생 4명은 사진과 함께 삭제됩니다.';
  expect(purgeWarningText(all, term, circuits)).toEqual([
    '선택한 강의만이 아니라 이 학기의 강의 2개가 모두 삭제됩니다.',
    named,
    going,
  ]);
  expect(purgeWarningText(all, term, 'all')).toEqual([named, going]);
  expect(purgeWarningText(all, term, earlier)).toEqual([named, going]);
  expect(purgeWarningText(countOf([circuits]), term, circuits)).toEqual(['삭제되는 강의: 회로 20명', going]);
  expect(purgeWarningText({ ...countOf([]), students: 5, left: 1 }, term, undefined)).toEqual([
    '다른 학기 기록이 없는 학생 5명은 사진과 함께 삭제됩니다. 그 가운데 1명은 수강이 먼저 삭제되어 위의 강의에 없습니다.',
  ]);
});
