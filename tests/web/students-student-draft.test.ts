import { expect, test } from 'vitest';
import {
  studentDraftDoubts,
  studentDraftOf,
  studentDraftProblems,
  studentFormOf,
} from '../../web/src/features/students/list/student-draft.ts';

const student = {
  id: '202100001',
  name: '가람',
  department: '',
  tel: '010-0000-0000',
  email: 's@univ.test',
  no: 1,
  year: 0,
  type: '재학',
  version: 1,
};
const course = { year: 2026, semester: 1, subject: '회로' } as const;

test('STU-15 a contact that looks wrong is flagged with what was meant, and can be saved', () => {
  const draft = { ...studentDraftOf(student), tel: '1012345678', email: 'not-an-email' };
  expect(studentDraftDoubts(draft)).toEqual([
    { field: 'tel', reason: '맨 앞의 0이 없습니다', repair: '010-1234-5678' },
    { field: 'email', reason: '이메일 주소가 아닙니다' },
  ]);
  expect(studentDraftProblems(draft)).toEqual({});
  expect(studentDraftDoubts({ ...draft, tel: '01012345678', email: '' })).toEqual([]);
});

test('STU-20 a corrected number is sent as one, and merged like any other field', () => {
  const draft = { ...studentDraftOf(student), id: ' 202100002' };
  expect(studentFormOf(draft, undefined, student.id)).toMatchObject({ number: '202100002', version: 1 });
  expect(studentFormOf(studentDraftOf(student), undefined, student.id)).not.toHaveProperty('number');
  expect(studentFormOf(draft, undefined)).not.toHaveProperty('number');
});

test('STU-15 a year of study that was left empty is shown empty again', () => {
  const draft = studentDraftOf(student);
  expect([draft.year, draft.no]).toEqual(['', '1']);
  expect(studentFormOf(draft, course).enrolment).toMatchObject({ no: 1, year: 0 });
});
