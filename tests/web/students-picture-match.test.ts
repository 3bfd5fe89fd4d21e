import { findPictureOwner } from '#contract/pictures';
import { studentIdSchema, type Student } from '#contract/students';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  PICTURE_FILE_BYTES_MAX,
  matchPictures,
} from '../../web/src/features/students/pictures/picture-match.ts';
import { propertyRuns } from '../support/counts.ts';

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
  version: 1,
});
const students = [student('202600001', '홍길동'), student('202600002', '김하늘')];
const file = (name: string, type = 'image/jpeg', size = 1000) => ({ name, type, size });
const reportOf = (...files: ReturnType<typeof file>[]) =>
  matchPictures(files, students).map((match) => ('reason' in match ? match.reason : match.student.name));

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

test('PIC-3 a number that looks like the beginning of a date is nobody’s date, and PIC-6 a person says whose a file is', () => {
  const roster = [
    student('2026-001', '홍길동'),
    student('2026-09-15', '김하늘'),
    student('20260915', '한그루'),
  ];
  const match = (name: string) => matchPictures([file(name)], roster)[0];
  expect(match('사진_2026-001.jpg')).toMatchObject({ kind: 'matched', student: { id: '2026-001' } });
  expect(match('사진_2026-09-15.jpg')).toMatchObject({ kind: 'asked' });
  expect(match('IMG_20260915.jpg')).toMatchObject({ kind: 'asked' });
  expect(match('단체.jpg')).toMatchObject({ kind: 'open' });
  const [one, other] = matchPictures(
    [file('단체.jpg'), file('홍.jpg')],
    students,
    new Set(),
    new Map([[1, student('202600001', '홍길동')]]),
  );
  expect([one?.kind, other]).toMatchObject(['open', { kind: 'matched', isByHand: true }]);
});

test('PIC-3 of two files for one student the last is sent', () => {
  expect(reportOf(file('202600001.jpg'), file('202600002.jpg'), file('새_202600001.jpg'))).toEqual([
    '홍길동 학생의 다른 파일(새_202600001.jpg)을 씁니다',
    '김하늘',
    '홍길동',
  ]);
});

const doubtOf = (name: string, roster = students) => matchPictures([file(name)], roster)[0]?.doubt;

test('STU-17 a name in the file that is not the student’s is asked about before it is sent', () => {
  const wrong = [file('홍길동_202600002.png', 'image/png'), file('김하늘_202600002.jpg')];
  expect(matchPictures([wrong[0] ?? file('')], students)).toMatchObject([
    { kind: 'asked', doubt: '파일 이름에 다른 이름(홍길동)이 있습니다' },
  ]);
  expect(matchPictures([wrong[0] ?? file('')], students, new Set([0]))).toMatchObject([{ kind: 'matched' }]);
  // The right one goes without a question, whatever else was chosen.
  expect(matchPictures(wrong, students).map(({ kind }) => kind)).toEqual(['asked', 'matched']);
  expect(doubtOf('남궁민수-202600002.jpg')).toContain('남궁민수');
  expect(doubtOf('박서준증명사진202600002.jpg')).toContain('박서준');
  expect(doubtOf('홍길동_202600002.png'.normalize('NFD'))).toContain('홍길동');
});

test.each([
  '202600002.jpg',
  '김하늘202600002.jpg',
  '202600002 김 하늘 (2).jpg',
  '증명사진_202600002.jpg',
  '최종 수정본 202600002.jpg',
  '컴퓨터공학과_김하늘_202600002_제출용.jpg',
  '운영체제 202600002 정면.jpg',
  '202600002_김하늘_20260302_101530.jpg',
  'IMG 202600002 profile.jpg',
])('STU-17 %s names nobody else', (name) => {
  expect(doubtOf(name)).toBeUndefined();
});

test('STU-17 a shorter name inside a longer one is not taken for it, and a name in Latin letters may be turned round', () => {
  const roster = [
    student('202600001', '김이'),
    student('202600002', '김이슬'),
    student('202600003', 'Nguyen Van An'),
  ];
  expect(doubtOf('김이슬_202600001.jpg', roster)).toContain('김이슬');
  expect(doubtOf('김이_202600001.jpg', roster)).toBeUndefined();
  expect(doubtOf('An_Nguyen_202600003.jpg', roster)).toBeUndefined();
  expect(doubtOf('nguyen van an 202600002.jpg', roster)).toContain('nguyen van an');
});

test('PIC-1 what is no image or too large is refused with a reason', () => {
  expect(
    reportOf(
      file('202600001.svg', 'image/svg+xml'),
      file('202600001.txt', 'text/plain'),
      file('홍길동.heic', ''),
      file('202600001.jpg', 'image/jpeg', PICTURE_FILE_BYTES_MAX + 1),
    ),
  ).toEqual([
    '이미지 파일이 아닙니다 (JPEG, PNG, WebP)',
    '이미지 파일이 아닙니다 (JPEG, PNG, WebP)',
    '파일 이름에 명단의 학번이 없습니다',
    '파일이 너무 큽니다',
  ]);
});

test('SEC-61 HEIC is tried, as Safari reads it, whatever type the system tells', () => {
  expect(reportOf(file('202600001.heic', ''), file('202600002.HEIF', 'image/heif'))).toEqual([
    '홍길동',
    '김하늘',
  ]);
});

const options = propertyRuns(2000, 20_000);

const two = (max: number, min = 0) => fc.integer({ min, max }).map((n) => String(n).padStart(2, '0'));
const stamp = fc.record({
  y: fc.integer({ min: 2000, max: 2039 }).map(String),
  m: two(12, 1),
  d: two(28, 1),
  h: two(23),
  i: two(59),
  s: two(59),
  ms: fc.integer({ min: 0, max: 999 }).map((n) => String(n).padStart(3, '0')),
  n: fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0')),
  epoch: fc.integer({ min: 1_000_000_000, max: 1_999_999_999 }).map(String),
});
type Stamp = { [Part in 'y' | 'm' | 'd' | 'h' | 'i' | 's' | 'ms' | 'n' | 'epoch']: string };
/** What telephones, cameras and messengers call their files. */
const deviceNames: ((at: Stamp) => string)[] = [
  ({ y, m, d, h, i, s }) => `${y}${m}${d}_${h}${i}${s}.png`,
  ({ y, m, d, h, i, s }) => `${y}${m}${d}${h}${i}${s}.jpg`,
  ({ y, m, d, h, i, s, ms }) => `${y}${m}${d}_${h}${i}${s}${ms}.jpg`,
  ({ y, m, d, h, i, s, ms }) => `KakaoTalk_${y}${m}${d}_${h}${i}${s}${ms}.png`,
  ({ y, m, d, h, i, s, ms }) => `KakaoTalk_${y}${m}${d}_${h}${i}${s}${ms}_01.jpg`,
  ({ y, m, d, h, i, s }) => `KakaoTalk_Photo_${y}-${m}-${d}-${h}-${i}-${s} 001.jpeg`,
  ({ y, m, d, h, i, s }) => `IMG_${y}${m}${d}_${h}${i}${s}.jpg`,
  ({ y, m, d }) => `IMG_${y}${m}${d}.jpg`,
  ({ y, m, d, n }) => `IMG-${y}${m}${d}-WA${n}.jpg`,
  ({ y, m, d, h, i, s }) => `Screenshot_${y}${m}${d}-${h}${i}${s}.png`,
  ({ y, m, d, h, i, s }) => `Screenshot_${y}${m}${d}-${h}${i}${s}_KakaoTalk.png`,
  ({ y, m, d, h, i, s }) => `Screenshot ${y}-${m}-${d} at ${h}.${i}.${s}.png`,
  ({ y, m, d, h, i, s }) => `스크린샷 ${y}-${m}-${d} 오전 ${Number(h)}.${i}.${s}.png`.normalize('NFD'),
  ({ y, m, d, h, i, s, ms }) => `PXL_${y}${m}${d}_${h}${i}${s}${ms}.jpg`,
  ({ y, m, d, h, i, s }) => `${y}-${m}-${d} ${h}.${i}.${s}.jpg`,
  ({ y, m, d }) => `${y}-${m}-${d}.jpg`,
  ({ y, m, d, h, i, s }) => `WhatsApp Image ${y}-${m}-${d} at ${h}.${i}.${s}.jpeg`,
  ({ y, m, d, h, i, s }) => `photo_${y}-${m}-${d}_${h}-${i}-${s}.jpg`,
  ({ y, m, d, h, i, s }) => `signal-${y}-${m}-${d}-${h}${i}${s}.jpg`,
  ({ y, m, d, h, i, s }) => `MVIMG_${y}${m}${d}_${h}${i}${s}.jpg`,
  ({ n }) => `IMG_${n}.jpg`,
  ({ n }) => `DSC_${n}.jpg`,
  ({ n }) => `DSC0${n}.jpg`,
  ({ n }) => `DJI_${n} (1).jpg`,
  ({ epoch }) => `${epoch}.jpg`,
  ({ epoch, ms }) => `${epoch}${ms}.jpg`,
  ({ epoch, ms }) => `FB_IMG_${epoch}${ms}.jpg`,
];
const deviceName = fc.tuple(stamp, fc.constantFrom(...deviceNames)).map(([at, nameOf]) => nameOf(at));

test('PIC-3 no date, time or counter of a device is taken for a student without a question, whatever ids look like', () => {
  fc.assert(
    fc.property(deviceName, (name) => {
      const words: string[] = name.match(/[0-9A-Za-z-]+/g) ?? [];
      const ids = [
        ...words,
        ...words.flatMap((word) => word.split('-')),
        ...(name.match(/\d+/g) ?? []),
      ].filter((id) => studentIdSchema.safeParse(id).success && /\d/.test(id));
      for (const id of ids)
        expect(['asked', 'none'], id).toContain(findPictureOwner(name, new Set([id])).kind);
    }),
    options,
  );
});

test('PIC-3 a number of a student is taken without a question, alone, beside words and beside a date', () => {
  const univId = fc
    .tuple(fc.integer({ min: 2000, max: 2039 }), fc.constantFrom(4, 5))
    .chain(([year, digits]) =>
      fc.integer({ min: 0, max: 10 ** digits - 1 }).map((n) => `${year}${String(n).padStart(digits, '0')}`),
    );
  const id = fc.oneof(univId, fc.stringMatching(/^[A-Z]-?\d{4,8}$/), fc.stringMatching(/^[A-Z]{2}\d{5,12}$/));
  fc.assert(
    fc.property(id, stamp, (studentId, { y, m, d, h, i, s }) => {
      const names = [
        `${studentId}.jpg`,
        `홍길동_${studentId}.png`,
        `${studentId} 홍길동 (2).jpg`,
        `${studentId}_홍길동_${y}${m}${d}_${h}${i}${s}.jpg`,
        `${studentId} 홍길동 ${y}-${m}-${d}.jpg`,
      ];
      for (const name of names) {
        expect(findPictureOwner(name, new Set([studentId])), name).toEqual({ kind: 'one', studentId });
      }
    }),
    options,
  );
});

test('PIC-3 what is asked about is sent only when it is confirmed', () => {
  const born = [student('20230915', '홍길동'), student('20230916', '김하늘')];
  const files = [
    file('20230915_101530.png', 'image/png'),
    file('KakaoTalk_20230916_142210123.png', 'image/png'),
    file('20230915.jpg'),
  ];
  const kinds = (confirmed?: Set<number>) => matchPictures(files, born, confirmed).map(({ kind }) => kind);
  expect(kinds()).toEqual(['asked', 'asked', 'matched']);
  expect(kinds(new Set([1]))).toEqual(['asked', 'matched', 'matched']);
  expect(matchPictures(files, born)[0]?.doubt).toBe('20230915: 학번이 아니라 찍은 날짜나 시각일 수 있습니다');
  // Of two files for one student the last is sent, confirmed or not.
  expect(kinds(new Set([0]))).toEqual(['refused', 'asked', 'matched']);
});
