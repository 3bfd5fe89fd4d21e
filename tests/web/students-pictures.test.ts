import type { Student } from '#contract/students';
import { expect, test } from 'vitest';
import { LARGEST_FILE, matchPictures } from '../../web/src/features/students/picture-match.ts';

const student = (id: string, name: string): Student => ({
  id,
  name,
  department: '',
  tel: '',
  email: '',
  year: null,
  type: '',
  no: null,
  subjects: [],
  picture: false,
});
const students = [student('202600001', '홍길동'), student('202600002', '김하늘')];
const file = (name: string, type = 'image/jpeg', size = 1000) => ({ name, type, size });
const reportOf = (...files: ReturnType<typeof file>[]) =>
  matchPictures(files, students).map((match) =>
    match.kind === 'matched' ? match.student.name : match.reason,
  );

test('PIC-3 a file belongs to the one student whose number its name contains', () => {
  expect(reportOf(file('202600001.jpg'), file('김하늘_202600002 (1).png', 'image/png'))).toEqual([
    '홍길동',
    '김하늘',
  ]);
  expect(reportOf(file('202600003.jpg'), file('홍길동.jpg'), file('202600001-202600002.jpg'))).toEqual([
    '파일 이름에 명단의 학번이 없습니다',
    '파일 이름에 명단의 학번이 없습니다',
    '학번이 둘 이상입니다: 202600001, 202600002',
  ]);
});

test('PIC-3 of two files for one student the last is sent', () => {
  expect(reportOf(file('202600001.jpg'), file('202600002.jpg'), file('새_202600001.jpg'))).toEqual([
    '홍길동 학생의 다른 파일(새_202600001.jpg)을 씁니다',
    '김하늘',
    '홍길동',
  ]);
});

test('PIC-1 what is no image or too large is refused with a reason', () => {
  expect(
    reportOf(
      file('202600001.svg', 'image/svg+xml'),
      file('202600001.txt', 'text/plain'),
      file('202600001.heic', ''),
      file('202600001.jpg', 'image/jpeg', LARGEST_FILE + 1),
    ),
  ).toEqual([
    '이미지 파일이 아닙니다 (JPEG, PNG, WebP)',
    '이미지 파일이 아닙니다 (JPEG, PNG, WebP)',
    'HEIC는 쓸 수 없습니다. JPEG로 바꾸세요',
    '파일이 너무 큽니다',
  ]);
});
