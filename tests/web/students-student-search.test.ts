import type { Student } from '#contract/students';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findManyStudents, searchEntries } from '../../web/src/features/students/student-search.ts';
import { filterByEveryWord } from '../../web/src/lib/search-text.ts';
import { propertyRuns } from '../support/counts.ts';

const student = (id: string, name: string, subjects: string[]): Student => ({
  id,
  name,
  department: '컴퓨터공학과',
  tel: '',
  email: '',
  year: 3,
  type: '재학',
  no: 1,
  subjects,
  picture: false,
  version: 1,
});

const students = [
  student('202600001', '홍길동', ['임베디드 시스템', '운영체제']),
  student('202600002', '김 하늘', ['운영체제']),
  student('A-0003', '한그루', ['Networks']),
];
const entries = searchEntries(students);
const namesOf = (input: string) => filterByEveryWord(entries, input).map(({ name }) => name);

test('STU-2 every word must match the id, the name or a subject', () => {
  expect(namesOf('')).toEqual(['홍길동', '김 하늘', '한그루']);
  expect(namesOf('운영체제')).toEqual(['홍길동', '김 하늘']);
  expect(namesOf(' 운영  길동 ')).toEqual(['홍길동']);
  expect(namesOf('운영 networks')).toEqual([]);
  expect(namesOf('a-0003')).toEqual(['한그루']);
  expect(namesOf('임베디드시스템')).toEqual(['홍길동']);
});

test('STU-13 initials count on names, also beside other words and half-typed syllables', () => {
  expect(namesOf('ㅎㄱㄷ')).toEqual(['홍길동']);
  expect(namesOf('ㅎㄱ')).toEqual(['홍길동', '한그루']);
  expect(namesOf('ㅎㄱ net')).toEqual(['한그루']);
  expect(namesOf('홍ㄱ')).toEqual(['홍길동']);
  expect(namesOf('ㅇㅇㅊㅈ')).toEqual([]);
});

test('STU-2 a name that a Mac has taken apart is found', () => {
  expect(namesOf('홍길동'.normalize('NFD'))).toEqual(['홍길동']);
});

test('STU-9 many ids and names find their students once; words that name nobody are told as they were typed', () => {
  const { found, unmatched } = findManyStudents(
    students,
    '202600002, 홍길동\n202600001;없는이름\tA-0003 홍길 B-9',
  );
  expect(found.map(({ id }) => id)).toEqual(['202600001', '202600002', 'A-0003']);
  expect(unmatched).toEqual(['없는이름', '홍길', 'B-9']);
});

test('STU-9 STU-13 the search tab takes initials of a whole name and digits in full width, as the list does', () => {
  const found = (input: string) => {
    const { found, unmatched } = findManyStudents(students, input);
    return [...found.map(({ name }) => name), ...unmatched];
  };
  expect(found('ㅎㄱㄷ')).toEqual(['홍길동']);
  expect(found('홍ㄱㄷ, ㄱㅎㄴ')).toEqual(['홍길동', '김 하늘']);
  expect(found('ㅎㄱ ㅎㄱㄹ ㅇㅇㅊㅈ')).toEqual(['한그루', 'ㅎㄱ', 'ㅇㅇㅊㅈ']);
  expect(found('２０２６００００２\nＡ－０００３')).toEqual(['김 하늘', '한그루']);
  expect(namesOf('２０２６００００２')).toEqual(['김 하늘']);
});

test('STU-9 STU-13 whoever the search tab finds by one word, the search of the list finds by it', () => {
  const letter = fc.constantFrom(...'홍길동한그루김하늘ㅎㄱㄷㄹㅁ2０６６A-a－３ '.split(''));
  const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
  const options = propertyRuns(1000, 10_000);
  const people = fc.array(
    fc.tuple(word, word).map(([id, name]) => student(`2${id}`, `김${name}`, [])),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(
      people,
      fc.oneof(
        word,
        word.map((rest) => `ㄱ${rest}`),
        word.map((rest) => `２${rest}`),
      ),
      (list, input) => {
        const { found } = findManyStudents(list, input.replaceAll(' ', ''));
        const shown = filterByEveryWord(searchEntries(list), input.replaceAll(' ', ''));
        expect(shown).toEqual(expect.arrayContaining(found));
      },
    ),
    options,
  );
});

test('STU-9 a name of several words is found by its line, among commas and among other names', () => {
  const people = [
    ...students,
    student('202600009', 'Nguyen Van An', []),
    student('202600010', 'Nguyen Van', []),
  ];
  const found = (input: string) => {
    const { found, unmatched } = findManyStudents(people, input);
    return [...found.map(({ name }) => name), ...unmatched];
  };
  expect(found('Nguyen Van An')).toEqual(['Nguyen Van An']);
  expect(found('nguyen  van an, 김 하늘')).toEqual(['김 하늘', 'Nguyen Van An']);
  expect(found('1 Nguyen Van 없는 이름')).toEqual(['Nguyen Van', '1', '없는', '이름']);
  expect(found('Nguyen Van An 홍길동 Nguyen Van')).toEqual(['홍길동', 'Nguyen Van An', 'Nguyen Van']);
});

test('STU-9 whatever names are made of, a list of them finds everybody and nobody else', () => {
  const word = fc.constantFrom(
    'Van',
    'An',
    'Nguyen',
    'Maria',
    'de',
    '김',
    '하늘',
    'Łukasz',
    'Ngọc',
    "O'Neil",
  );
  const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  const options = propertyRuns(500, 10_000);
  const lists = fc.tuple(
    fc.uniqueArray(name, {
      minLength: 2,
      maxLength: 12,
      selector: (each) => each.replaceAll(' ', '').toLowerCase(),
    }),
    fc.constantFrom('\n', ',', '\t', '; ', ', ', '\r\n'),
    fc.constantFrom('NFC', 'NFD'),
    fc.nat(),
  );
  fc.assert(
    fc.property(lists, ([names, separator, form, at]) => {
      const people = names.map((each, index) => student(String(202_600_000 + index), each, []));
      const wanted = people.filter((_, index) => (at >> index) % 2 === 0);
      const input = wanted.map(({ id, name: its }, index) => (index % 3 === 2 ? id : its.normalize(form)));
      expect(findManyStudents(people, input.join(separator))).toEqual({ found: wanted, unmatched: [] });
    }),
    options,
  );
});
