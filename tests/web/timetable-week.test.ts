import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedSubject } from '../../web/src/features/subjects/merged.ts';
import { clashText, overlaps, placeDay, slotText, weekOf } from '../../web/src/features/subjects/week.ts';

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

const clashes = (...subjects: ListedSubject[]) => weekOf(subjects).clashes.map(clashText);

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

  test('SUB-5 no room, no professor and a subject that two departments list alike do not clash', () => {
    expect(clashes(subject('A', { prof: '미정' }), subject('B', { prof: '미정' }))).toEqual([]);
    expect(clashes(subject('A', { classroom: '온라인' }), subject('B', { classroom: '온라인' }))).toEqual([]);
    const shared = subject('A', { prof: '한가람', classroom: '공502' });
    expect(clashes(shared, { ...shared, department: 'aics' })).toEqual([]);
  });

  test('SUB-5 several rooms are taken in the order of the meetings', () => {
    const { blocks } = weekOf([subject('A', { time: '월1, 수3', classroom: '공401, 공502' })]);
    expect(blocks.map((block) => `${slotText(block)} ${block.room}`)).toEqual([
      '월 09:00–10:00 공401',
      '수 11:00–12:00 공502',
    ]);
    const told = weekOf([subject('A', { time: '월1, 수3', classroom: '수3 공502, 월1 공401' })]);
    expect(told.blocks.map(({ room }) => room)).toEqual(['공401', '공502']);
  });

  test('SUB-5 what cannot be read is listed as text, also beside what can', () => {
    const { asText } = weekOf([
      subject('A'),
      subject('B', { time: '' }),
      subject('C', { time: '추후 공지' }),
      subject('D', { time: '월1/격주 보강/수3' }),
    ]);
    expect(asText.map(({ subject: { id }, texts }) => `${id} ${texts.join('|')}`)).toEqual([
      'B 시간 없음',
      'C 추후 공지',
      'D 격주 보강',
    ]);
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
        const placed = placeDay(blocks);
        expect(placed).toHaveLength(blocks.length);
        expect(overlaps(blocks).flat()).toHaveLength(blocks.length);
        for (const a of placed) {
          expect(a.lane < a.lanes).toBe(true);
          const covered = placed.filter(
            (b) => b !== a && b.lane === a.lane && b.block.from < a.block.to && a.block.from < b.block.to,
          );
          expect(covered).toEqual([]);
        }
      }),
      { seed: 20_261_121, numRuns: process.env['FULL'] === '1' ? 5000 : 200 },
    );
  });
});
