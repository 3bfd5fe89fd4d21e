import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DAY_NAMES,
  parseTimetable,
  periodStart,
  type Slot,
} from '../../web/src/features/subjects/timetable.ts';
import { propertyRuns } from '../support/counts.ts';

const runs = propertyRuns(300, 10_000);

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const words = ({ day, from, to, room }: Slot) =>
  `${DAY_NAMES[day]} ${clock(from)}-${clock(to)}${room === undefined ? '' : ` ${room}`}`;
const read = (text: string) => parseTimetable(text).slots.map(words);

describe('times of classes', () => {
  test.each([
    ['월1,2,3', ['월 09:00-12:00']],
    ['월1,3', ['월 09:00-10:00', '월 11:00-12:00']],
    ['월3~5', ['월 11:00-14:00']],
    ['월 3-5', ['월 11:00-14:00']],
    ['월 3∼5', ['월 11:00-14:00']],
    ['화(10:00-11:50)', ['화 10:00-11:50']],
    ['수10:00~11:15', ['수 10:00-11:15']],
    ['월1,2/수3', ['월 09:00-11:00', '수 11:00-12:00']],
    ['월1,2수3', ['월 09:00-11:00', '수 11:00-12:00']],
    ['월1 월2', ['월 09:00-10:00', '월 10:00-11:00']],
    ['월,수 10:30-11:45', ['월 10:30-11:45', '수 10:30-11:45']],
    ['월수 3', ['월 11:00-12:00', '수 11:00-12:00']],
    ['월요일 3교시, 목요일 4~5교시', ['월 11:00-12:00', '목 12:00-14:00']],
    ['토 1', ['토 09:00-10:00']],
    ['월(1,2)', ['월 09:00-11:00']],
    ['월１，２', ['월 09:00-11:00']],
    ['화（10：00～11：50）', ['화 10:00-11:50']],
    ['월 9시-10시반', ['월 09:00-10:30']],
    ['월 9시30분~11시', ['월 09:30-11:00']],
    ['월10-12시', ['월 10:00-12:00']],
    ['금 19시~21시', ['금 19:00-21:00']],
    ['화 7:00-9:00 PM', ['화 19:00-21:00']],
    ['화 11:00-1:00 p.m.', ['화 11:00-13:00']],
    ['화 오후 1:00-2:30', ['화 13:00-14:30']],
    ['화 오전 11시~1시', ['화 11:00-13:00']],
    ['화 오전 10시 - 오후 12시 30분', ['화 10:00-12:30']],
    ['수 3·4', ['수 11:00-13:00']],
    ['수 3ㆍ4교시', ['수 11:00-13:00']],
    ['월10,11,12', ['월 18:00-21:00']],
    ['월10-12교시', ['월 18:00-21:00']],
    ['화 7-9 (18:30-21:00)', ['화 18:30-21:00']],
    ['수3,4(10:30~11:45)', ['수 10:30-11:45']],
    ['월,수 1-3 (09:00-11:45)', ['월 09:00-11:45', '수 09:00-11:45']],
  ])('SUB-5 %s is read', (text, slots) => {
    expect(read(text)).toEqual(slots);
    expect(parseTimetable(text).unread).toEqual([]);
  });

  test.each([
    ['공학관401(월1,2), 수3 공502', ['월 09:00-11:00 공학관401', '수 11:00-12:00 공502']],
    ['월1,2(공학관401), 수3(공502)', ['월 09:00-11:00 공학관401', '수 11:00-12:00 공502']],
    ['월1,2(공401)수3(공502)', ['월 09:00-11:00 공401', '수 11:00-12:00 공502']],
    ['월1,2 공401 수3 공502', ['월 09:00-11:00 공401', '수 11:00-12:00 공502']],
    ['월3 화학관201', ['월 11:00-12:00 화학관201']],
    ['월3 401', ['월 11:00-12:00 401']],
    ['목 1-2 (온라인)', ['목 09:00-11:00 온라인']],
    ['월1 대강당', ['월 09:00-10:00 대강당']],
    ['월1 시청각실', ['월 09:00-10:00 시청각실']],
    ['월1 B12', ['월 09:00-10:00 B12']],
    ['월12:00-13:15【23101】', ['월 12:00-13:15 23101']],
    ['수10:00~11:15 [목양관 301]', ['수 10:00-11:15 목양관 301']],
  ])('SUB-5 %s is read with its rooms', (text, slots) => {
    expect(read(text)).toEqual(slots);
    expect(parseTimetable(text).unread).toEqual([]);
  });

  test.each([
    '미정',
    '원격수업',
    '집중이수 (8월)',
    '월5~3',
    '화(11:50-10:00)',
    '월3A',
    '월1.5',
    '월301',
    '일 3',
    '목공예실습',
    '월25:00-26:00',
    '월10-12',
    '월 13-15',
    '월 1:00-2:30',
    '월 18:30',
    '화 9시',
    '화 7:00-9:30',
    '화 7시~9시',
  ])('SUB-5 %s is kept as text', (text) => {
    expect(parseTimetable(text)).toMatchObject({ slots: [], unread: [text] });
  });

  test('SUB-5 what stands beside a time that is read is kept too', () => {
    expect(parseTimetable('월1,2/격주 보강/수3')).toMatchObject({ unread: ['보강'] });
    expect(parseTimetable('')).toMatchObject({ slots: [], unread: [] });
  });

  test.each([
    '월1 시-10시반',
    '화1 PM',
    '수 3/4',
    '월3 반',
    '월1-2 나린솔',
    '토 1 (3)',
    '월1,2 보강',
    '(격주) 월1',
    '월3-1',
    '월5-7, 격주 금1-2',
    '월1-2, (격주)수3-4',
    '월1-2 홀수주 수3-4',
    '월1, 수3, 격주',
    '월34 수5',
    '월1-3 정원120명',
    '월1-3 20260901-20261020',
    '월1-3 (2026학번 이후)',
    '월1-6 (2026-07-01~2026-07-05)',
    '토1-8(2026.09.05)',
    '월1-3 (9/1-10/20)',
    '월1-3 집중이수 401',
    '월1-3 공401~402',
  ])('IMP-7 SUB-5 %s is not read half: what is no room is told and not taken for one', (text) => {
    const { slots, unread } = parseTimetable(text);
    expect(unread).not.toEqual([]);
    expect(slots.map(({ room }) => room).join('')).toBe('');
    expect(slots.flatMap((slot) => slot.weeks ?? [])).toEqual([]);
  });

  test.each([
    ['월1-3(격주), 수5', ['격주', undefined]],
    ['월3,4 수3 (격주)', [undefined, '격주']],
    ['토 9:00~12:00 (1,3주)', ['1,3주']],
    ['월1-2(격주)수3', ['격주', undefined]],
    ['월5-7, 금1-2 격주, 수3', [undefined, '격주', undefined]],
    ['월1 격주 공502', ['격주']],
  ])('SUB-5 %s keeps its weeks apart from its room', (text, weeks) => {
    const { slots, unread } = parseTimetable(text);
    expect(unread).toEqual([]);
    expect(slots.map((slot) => slot.weeks)).toEqual(weeks);
    expect(slots.map(({ room }) => room ?? '').join('')).toBe(text.includes('502') ? '공502' : '');
  });

  test('SUB-5 period n begins at nine and n - 1 hours', () => {
    expect([1, 2, 9].map(periodStart)).toEqual([540, 600, 1020]);
  });
});

const snippets = fc.constantFrom(
  ...Array.from('월화토일12~-∼,/· ()[]\nA：１:.\u0000관'),
  ...'수요일 15 16 10:00 9:5 공401 교시 미정 👍'.split(' '),
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(snippets, { maxLength: 40 }).map((parts) => parts.join('')),
);

describe('times of classes, whatever is written', () => {
  test('SUB-5 nothing is dropped: the segments are the text, and what lies between holds no word', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { segments, slots } = parseTimetable(text);
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
        const gaps = segments.filter(({ kind }) => kind === 'gap').map((gap) => gap.text);
        expect(gaps.join(' ')).not.toMatch(/[\p{L}\p{N}]/u);
        for (const { day, from, to } of slots) {
          expect(day >= 0 && day <= 5 && from >= 0 && from < to && to <= 24 * 60).toBe(true);
        }
      }),
      runs,
    );
  });

  test('SUB-5 what is written in any of the notations is read back', () => {
    const span = fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 0, max: 3 }), fc.nat(2))
        .map(([first, more, style]) => {
          const last = Math.min(15, first + more);
          const list = Array.from({ length: last - first + 1 }, (_, index) => first + index).join(',');
          const text =
            [list, `${first}~${last}${first < 9 ? '' : '교시'}`, ` ${first} - ${last}교시`][style] ?? list;
          return { from: periodStart(first), to: periodStart(last) + 60, text };
        }),
      fc
        .tuple(fc.integer({ min: 480, max: 1300 }), fc.integer({ min: 1, max: 139 }), fc.nat(2))
        .map(([from, length, style]) => {
          const [start, end] = [clock(from), clock(from + length)];
          const text = [`(${start}-${end})`, `${start}~${end}`, ` ${start} – ${end}`][style] ?? '';
          return { from, to: from + length, text };
        }),
    );
    const room = fc.option(
      fc
        .tuple(
          fc.constantFrom('공학관', '공', '화학관 ', '제2과학관', 'IT-'),
          fc.integer({ min: 100, max: 999 }),
        )
        .map(([building, number]) => `${building}${number}`),
      { nil: undefined },
    );
    const meeting = fc
      .record({ day: fc.nat(5), long: fc.boolean(), span, room, style: fc.nat(2) })
      .map(({ day, long, span: { from, to, text }, room: place, style }) => {
        const time = `${DAY_NAMES[day]}${long ? '요일' : ''}${text}`;
        const slot: Slot = { day, from, to, ...(place !== undefined && { room: place }) };
        if (place === undefined) return { slot, text: time };
        return { slot, text: [`${time}(${place})`, `${time} ${place}`, `${place}(${time})`][style] ?? '' };
      });
    fc.assert(
      fc.property(
        fc.array(meeting, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(', ', '/', '\n', ' / '),
        (meetings, between) => {
          const text = meetings.map((each) => each.text).join(between);
          const { slots, unread } = parseTimetable(text);
          expect(unread).toEqual([]);
          expect(slots, text).toEqual(meetings.map(({ slot }) => slot));
        },
      ),
      runs,
    );
  });

  test.each([
    '월',
    '월1,',
    '월 ',
    ' ',
    '(',
    '월(1',
    '1,',
    '월,',
    '가',
    '10:00-',
    '월1 가 ',
    '월5~3',
    '월 9시-',
    '1,3주 ',
    '월1 오후 1',
    ',',
    '\n',
  ])('SUB-5 fifty thousand characters of %j cost no more than their length', (part) => {
    // Quadratic time would be minutes, beyond the test's time limit; linear is milliseconds.
    const text = part.repeat(Math.ceil(50_000 / part.length));
    const { segments } = parseTimetable(text);
    expect(segments.map((segment) => segment.text).join('')).toBe(text);
  });
});

test.each(['목 14-17', '월5-월7', '토1-4 (1주, 3주)'])(
  'SUB-4 %s, which may mean something else, is not read in silence',
  (text) => {
    const { slots, unread } = parseTimetable(text);
    expect(unread.length > 0 || slots.length === 0).toBe(true);
  },
);
