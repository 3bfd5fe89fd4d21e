import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../firmware-bridge/src/broker/decode.ts';
import { propertyRuns } from '../support/counts.ts';
import { bare, message, RECEIVED_AT, text } from './support/messages.ts';

describe('what boards send', () => {
  test.each([
    ['512', 512],
    ['0', 0],
    ['1023', 1023],
    [' 512\r\n', 512],
    ['{"soil_moisture":512}', 512],
  ])('a bare value %j gets the receipt time and asks for a seq', (payload, value) => {
    expect(decodeMessage(message(payload))).toEqual({ readings: [bare(value)], deadLetter: null });
  });

  test.each([
    '512\0',
    '512\0\0\0',
    '\ufeff512',
    '\ufeff\ufeff512\ufeff',
    '\ufeff512\0',
    '512\r\n\0',
    '512\0\r\n',
    '\t512\t',
    '\ufeff{"soil_moisture":512}\0',
    ' \ufeff[512]\n\0',
  ])('ING-18 %j is a C string, or what an editor saved, and is understood', (payload) => {
    expect(decodeMessage(message(payload))).toEqual({ readings: [bare(512)], deadLetter: null });
  });

  test.each([
    ['a C string with what stood behind it', '512\x007', /integer/],
    ['a zero byte before or within', '\x00512', /integer/],
    ['a mark within', '5\ufeff12', /integer/],
    ['an unseen letter', '512\u200d', /integer/],
    ['letters of full width', '\uff15\uff11\uff12', /integer/],
    ['UTF-16', Buffer.from('512', 'utf16le'), /integer/],
    ['UTF-16 with its mark', Buffer.from('\ufeff512', 'utf16le'), /UTF-8/],
    ['a single zero byte', '\0', /integer/],
    ['a mark alone', '\ufeff', /integer/],
    ['a megabyte of spaces', `1${' '.repeat(1_000_000)}2`, /integer/],
  ])('ING-18 ING-4 %s is not guessed at: a dead letter with its reason', (_, payload, reason) => {
    expect(decodeMessage(message(payload))).toMatchObject({
      readings: [],
      deadLetter: { reason: expect.stringMatching(reason) },
    });
  });

  const dated = (ms: number, value = 1) => ({
    soil_moisture: value,
    datetime: new Date(RECEIVED_AT + ms).toISOString(),
  });
  test.each([
    ['some of it ahead of its receipt', [dated(-60_000), dated(420_000), 5], 420_000],
    ['the newest first', [dated(420_000), dated(-60_000)], 420_000],
    [
      'a clock that was never set',
      [{ soil_moisture: 1, datetime: '1970-01-01T00:01:00Z' }, 7],
      60_000 - RECEIVED_AT,
    ],
    ['none ahead by more than a minute', [dated(-60_000), dated(30_000)], undefined],
    ['no datetime', [1, 2], undefined],
    ['one reading', [dated(420_000)], 420_000],
  ])('ING-18 of a message with %s the greatest datetime goes with all of it', (_, elements, newest) => {
    const decoded = decodeMessage(message(JSON.stringify(elements)));
    expect(decoded.newest).toBe(newest === undefined ? undefined : RECEIVED_AT + newest);
  });

  test('a datetime is taken to the millisecond in UTC, and without seq it needs none', () => {
    const { readings } = decodeMessage(
      message('{"soil_moisture":1,"datetime":"2026-03-02T09:00:00.1239+09:00"}'),
    );
    expect(readings).toEqual([
      {
        plant: 'fern',
        datetime: Date.UTC(2026, 2, 2, 0, 0, 0, 123),
        soilMoisture: 1,
        seq: 900_000,
        undated: false,
        needsSeq: false,
      },
    ]);
  });

  const read = (datetime: string, seq?: number) =>
    decodeMessage(message(JSON.stringify({ soil_moisture: 1, datetime, seq })));

  test('ING-4 ING-3 every spelling of the profile names the instant that it says, and no spelling two', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('1970-01-02T00:00:00Z'),
          max: new Date('2105-12-31T00:00:00Z'),
          noInvalidDate: true,
        }),
        fc.constantFrom(...Object.entries(zones)),
        fc.record({
          dash: fc.constantFrom('', '-'),
          letter: fc.constantFrom('T', 't', ' '),
          colon: fc.constantFrom('', ':'),
          point: fc.constantFrom('.', ','),
          to: fc.constantFrom('minute', 'second', 'fraction'),
          fraction: fc.stringMatching(/^[0-9]{1,12}$/),
        }),
        (date, [zone, minutes], { dash, letter, colon, point, to, fraction }) => {
          const local = new Date(date.getTime() + minutes * 60_000);
          const day = [local.getUTCFullYear(), two(local.getUTCMonth() + 1), two(local.getUTCDate())].join(
            dash,
          );
          const clock = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(two);
          const time = clock.slice(0, to === 'minute' ? 2 : 3).join(colon);
          const decimals = to === 'fraction' ? `${point}${fraction}` : '';
          const step = to === 'minute' ? 60_000 : 1000;
          const whole = Math.floor(date.getTime() / step) * step;
          const nanoseconds = to === 'fraction' ? Number(fraction.slice(0, 9).padEnd(9, '0')) : 0;
          expect(read(`${day}${letter}${time}${decimals}${zone}`)).toMatchObject({
            readings: [
              {
                datetime: whole + Math.floor(nanoseconds / 1e6),
                seq: nanoseconds % 1e6 === 0 ? null : nanoseconds % 1e6,
              },
            ],
            deadLetter: null,
          });
        },
      ),
      propertyRuns(),
    );
  });

  test.each([
    '2026-03-02T09:00:00Z ',
    ' 2026-03-02T09:00:00Z',
    '2026-03-02  09:00:00Z',
    '2026-03-02_09:00:00Z',
    '2026-03-02Z',
    '2026-03-02T09Z',
    '2026-03-02T09.5Z',
    '2026-03-02T09:00.5Z',
    '2026-03-02T09:00:00.Z',
    '2026-03-02T09:0000Z',
    '2026-03-02T0900:00Z',
    '2026-0302T09:00:00Z',
    '202603-02T09:00:00Z',
    '2026-3-2T9:00:00Z',
    '26-03-02T09:00:00Z',
    '+002026-03-02T09:00:00Z',
    '2026-061T09:00:00Z',
    '2026061T090000Z',
    '2026-W10-1T09:00:00Z',
    '2026W101T090000Z',
    '2026-02-30T09:00:00Z',
    '20260230T0900Z',
    '2026-13-01T09:00:00Z',
    '2026-03-02T24:00:00Z',
    '2026-03-02T09:60Z',
    '2026-03-02T23:59:60Z',
    '02/03/2026 09:00Z',
    '1772442000',
    'Mon, 02 Mar 2026 09:00:00 GMT',
    '２０２６-03-02T09:00:00Z',
    '',
  ])('ING-4 %j is outside of the profile: a dead letter that names the field', (datetime) => {
    expect(read(datetime)).toMatchObject({
      readings: [],
      deadLetter: { reason: expect.stringMatching(/^datetime: .*2026-03-02T14:05:00\+09:00/) },
    });
  });

  test("ING-3 a board's own seq stands, however fine its time", () => {
    expect(read('2026-03-02T09:00:00.0001Z', 7).readings).toMatchObject([{ seq: 7 }]);
  });

  const zones = {
    Z: 0,
    z: 0,
    '+00:00': 0,
    '-00:00': 0,
    '+09:00': 540,
    '+0900': 540,
    '+09': 540,
    '-0330': -210,
    '-03:30': -210,
    '+0530': 330,
    '-11': -660,
  };
  test.each(
    Object.entries(zones).flatMap(([zone, minutes]) =>
      ['T', 't'].flatMap((letter) =>
        ['09:00:00', '09:00:00.5'].map((time) => [`2026-03-02${letter}${time}${zone}`, minutes] as const),
      ),
    ),
  )('ING-4 %s names one instant, as ISO 8601 spells it', (datetime, minutes) => {
    const { readings } = decodeMessage(message(JSON.stringify({ soil_moisture: 1, datetime })));
    const fraction = datetime.includes('.5') ? 500 : 0;
    expect(readings).toMatchObject([{ datetime: Date.UTC(2026, 2, 2, 9, -minutes) + fraction }]);
  });

  test.each([
    '',
    '+9',
    '+900',
    '+09:0',
    '+09:',
    '+25:00',
    '+24',
    '+0960',
    ' +0900',
    ' Z',
    'KST',
    'ZZ',
    'Z+09',
    '+09:00:00',
    '+090000',
    '[Asia/Seoul]',
  ])('ING-4 a datetime with the zone "%s" is refused: nobody knows when that is', (zone) => {
    for (const at of ['2026-03-02T09:00:00', '2026-03-02 09:00:00', '20260302T090000', '2026-03-02']) {
      const datetime = `${at}${zone}`;
      const { readings, deadLetter } = decodeMessage(message(JSON.stringify({ soil_moisture: 1, datetime })));
      expect(readings).toEqual([]);
      expect(deadLetter).toMatchObject({ reason: expect.stringContaining('datetime') });
    }
  });

  test('a seq of the board stays, with or without datetime', () => {
    expect(decodeMessage(message('{"soil_moisture":1,"seq":-7}')).readings).toMatchObject([
      { seq: -7, needsSeq: false, datetime: RECEIVED_AT },
    ]);
  });

  test('an array of a board that was offline may mix both forms', () => {
    const payload = '[500,{"soil_moisture":501,"datetime":"2026-03-01T00:00:00Z","seq":3}]';
    expect(decodeMessage(message(payload)).readings).toMatchObject([
      { soilMoisture: 500, needsSeq: true },
      { soilMoisture: 501, seq: 3, datetime: Date.UTC(2026, 2, 1) },
    ]);
  });

  test('ING-4 SEC-46 the bad elements of an array are one dead letter, which counts them, and their neighbours are taken', () => {
    const decoded = decodeMessage(message('[1,1024,{"soil_moisture":2},{"soil_moisture":"3"},[4],null]'));
    expect(decoded.readings.map(({ soilMoisture }) => soilMoisture)).toEqual([1, 2]);
    expect(text(decoded)).toBe('[1024,{"soil_moisture":"3"},[4],null]');
    expect(decoded.deadLetter?.count).toBe(4);
  });

  test('a retained value without datetime is a dead letter, one with datetime a reading', () => {
    expect(decodeMessage(message('512', { retained: true })).deadLetter).toMatchObject({
      reason: expect.stringContaining('retained'),
    });
    const dated = '{"soil_moisture":512,"datetime":"2026-03-02T00:00:00Z"}';
    expect(decodeMessage(message(dated, { retained: true })).readings).toHaveLength(1);
  });
});
