import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedSubject } from '../../web/src/features/subjects/merged.ts';
import {
  clashText,
  overlapGroups,
  placeBlocksOfDay,
  slotText,
  weekTimetable,
} from '../../web/src/features/subjects/week.ts';
import { propertyRuns } from '../support/counts.ts';

const subject = (id: string, part: Partial<ListedSubject> = {}): ListedSubject => ({
  department: 'cs',
  id,
  name: `과목 ${id}`,
  year: 1,
  type: '',
  score: 3,
  prof: '',
  time: '월1,2',
  classroom: '',
  etc: '',
  ...part,
});

const clashes = (...subjects: ListedSubject[]) => weekTimetable(subjects).clashes.map(clashText);

describe('the week of the chosen subjects', () => {
  test('SUB-5 a room that two subjects need at once is a clash, in words', () => {
    const a = subject('A', { classroom: '공 502' });
    expect(clashes(a, subject('B', { time: '월(10:30-12:00) 공502' }))).toEqual([
      '월 09:00–12:00 · 강의실 공 502 겹침: 과목 A(A), 과목 B(B)',
    ]);
    expect(clashes(a, subject('B', { time: '월3', classroom: '공502' }))).toEqual([]);
    expect(clashes(a, subject('B', { time: '화1', classroom: '공502' }))).toEqual([]);
    expect(clashes(a, subject('B', { classroom: '공503' }))).toEqual([]);
  });

  test('SUB-5 a professor who teaches two subjects at once is a clash', () => {
    const a = subject('A', { prof: '한가람, 윤서준' });
    expect(clashes(a, subject('B', { prof: '윤서준' }))).toEqual([
      '월 09:00–11:00 · 교수 윤서준 겹침: 과목 A(A), 과목 B(B)',
    ]);
    expect(clashes(a, subject('B', { prof: '윤서' }))).toEqual([]);
  });

  test.each([
    '한가람/윤서준',
    '한가람&윤서준',
    '한가람+윤서준',
    '한가람、윤서준',
    '한가람(50%) · 윤서준',
    '한가람 교수, 윤서준 교수',
  ])('SUB-5 the professors %s are two', (prof) =>
    expect(clashes(subject('A', { prof }), subject('B', { prof: '윤서준' }))).toHaveLength(1),
  );

  test.each(['공401/공502', '공401+공502', '공401 & 공502', '공401; 공502'])(
    'SUB-5 the rooms %s are two',
    (classroom) =>
      expect(clashes(subject('A', { classroom }), subject('B', { classroom: '공502' }))).toHaveLength(1),
  );

  test('SUB-5 no room, no professor and a subject that two departments list alike do not clash', () => {
    expect(clashes(subject('A', { prof: '미정' }), subject('B', { prof: '미정' }))).toEqual([]);
    expect(clashes(subject('A', { classroom: '온라인' }), subject('B', { classroom: '온라인' }))).toEqual([]);
    const shared = subject('A', { prof: '한가람', classroom: '공502' });
    expect(clashes(shared, { ...shared, department: 'aics' })).toEqual([]);
  });

  test('SUB-5 two sections with the same name, professor, room and time clash as any other two do', () => {
    const one = subject('CS101-01', { name: '자료구조', prof: '한가람', classroom: '공502' });
    const words = ['교수 한가람', '강의실 공502'].map(
      (what) => `월 09:00–11:00 · ${what} 겹침: 자료구조(CS101-01), 자료구조(CS101-02)`,
    );
    expect(clashes(one, { ...one, id: 'CS101-02' }).sort()).toEqual(words.sort());
  });

  describe('in any timetable', () => {
    const ofAny = {
      id: fc.constantFrom('A', 'B', 'C', 'D'),
      name: fc.constantFrom('자료구조', '운영체제', ''),
      department: fc.constantFrom('cs' as const, 'aics' as const, 'sw' as const),
      prof: fc.constantFrom('한가람', '윤서준', '한가람, 윤서준', '미정', ''),
      time: fc.constantFrom('월1,2', '월2,3', '월3,4', '월1~4', '화2', '월(10:30-11:30)', '월1 공502/화2'),
      classroom: fc.constantFrom('공502', '공 502', '공503', '온라인', ''),
    };
    const timetable = fc
      .uniqueArray(fc.record(ofAny), {
        maxLength: 8,
        selector: ({ department, id }) => `${department} ${id}`,
      })
      .map((list) => list.map(({ id, ...part }) => subject(id, part)));
    const runs = propertyRuns(500, 10_000);
    /** Which meetings are marked, and for what. */
    const marked = (subjects: ListedSubject[]) =>
      weekTimetable(subjects)
        .clashes.flatMap(({ kind, blocks }) => blocks.map(({ key }) => `${kind} ${key}`))
        .filter((mark, index, all) => all.indexOf(mark) === index)
        .sort();

    test('SUB-5 whoever clashes does so with somebody who clashes, in whatever order they are listed', () => {
      fc.assert(
        fc.property(timetable, (list) => {
          expect(marked(list.toReversed())).toEqual(marked(list));
          for (const { blocks } of weekTimetable(list).clashes) {
            for (const { day, from, to, subject: own } of blocks) {
              const others = blocks.filter((other) => other.subject.id !== own.id);
              expect(others.some((other) => other.day === day && other.from < to && from < other.to)).toBe(
                true,
              );
            }
          }
        }),
        runs,
      );
    });

    test('SUB-5 two of them clash where both need a room or a professor, and not otherwise', () => {
      fc.assert(
        fc.property(timetable, (list) => {
          const pairs = list.flatMap((a) => list.filter((b) => b !== a).map((b) => [a, b] as const));
          expect(marked(list)).toEqual([...new Set(pairs.flatMap((pair) => marked([...pair])))].sort());
          const same = pairs.filter(([a, b]) => a.id === b.id);
          expect(same.flatMap((pair) => marked([...pair]))).toEqual([]);
        }),
        runs,
      );
    });

    test('SUB-5 their names change nothing', () => {
      fc.assert(
        fc.property(timetable, fc.array(fc.string(), { minLength: 8, maxLength: 8 }), (list, names) => {
          const renamed = list.map((each, index) => ({ ...each, name: names[index] ?? '' }));
          expect(marked(renamed)).toEqual(marked(list));
        }),
        runs,
      );
    });
  });

  test('SUB-5 several rooms are taken in the order of the meetings', () => {
    const { blocks } = weekTimetable([subject('A', { time: '월1, 수3', classroom: '공401, 공502' })]);
    expect(blocks.map((block) => `${slotText(block)} ${block.room}`)).toEqual([
      '월 09:00–10:00 공401',
      '수 11:00–12:00 공502',
    ]);
    const told = weekTimetable([subject('A', { time: '월1, 수3', classroom: '수3 공502, 월1 공401' })]);
    expect(told.blocks.map(({ room }) => room)).toEqual(['공401', '공502']);
  });

  test('SUB-5 a meeting in two rooms has both, and clashes in each', () => {
    const a = subject('A', { classroom: '공4-102 / 공4-103' });
    expect(weekTimetable([a]).blocks.map(({ room }) => room)).toEqual(['공4-102 / 공4-103']);
    expect(clashes(a, subject('B', { classroom: '공4-103' }))).toEqual([
      '월 09:00–11:00 · 강의실 공4-103 겹침: 과목 A(A), 과목 B(B)',
    ]);
  });

  test('SUB-5 a professor with a word in brackets is the same professor', () => {
    expect(clashes(subject('A', { prof: '여울(팀)' }), subject('B', { prof: '여울' }))).toHaveLength(1);
  });

  test('SUB-5 what cannot be read whole, and what is cancelled, is listed and not placed', () => {
    const { asText, blocks } = weekTimetable([
      subject('A'),
      subject('B', { time: '' }),
      subject('C', { time: '추후 공지' }),
      subject('D', { time: '월1/격주 보강/수3' }),
      subject('E', { etc: '폐강(인원 미달)' }),
    ]);
    expect(asText.map(({ subject: { id }, text }) => `${id} ${text}`)).toEqual([
      'B 시간 없음',
      'C 추후 공지',
      'D 월1/격주 보강/수3',
      'E 폐강',
    ]);
    expect(new Set(blocks.map((block) => block.subject.id))).toEqual(new Set(['A']));
  });

  test('SUB-5 blocks that overlap stand in lanes of their own', () => {
    const spans = fc.array(
      fc.record({ from: fc.integer({ min: 0, max: 1300 }), length: fc.integer({ min: 1, max: 139 }) }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(spans, (list) => {
        const blocks = list.map(({ from, length }, index) => ({
          day: 0,
          from,
          to: from + length,
          key: String(index),
          subject: subject(String(index)),
        }));
        const placed = placeBlocksOfDay(blocks);
        expect(placed).toHaveLength(blocks.length);
        expect(overlapGroups(blocks).flat()).toHaveLength(blocks.length);
        for (const a of placed) {
          expect(a.lane < a.lanes).toBe(true);
          const covered = placed.filter(
            (b) => b !== a && b.lane === a.lane && b.block.from < a.block.to && a.block.from < b.block.to,
          );
          expect(covered).toEqual([]);
        }
      }),
      propertyRuns(200, 5000),
    );
  });
});
