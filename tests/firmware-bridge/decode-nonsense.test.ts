import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  READINGS_PER_MESSAGE_MAX,
  decodeMessage,
  PAYLOAD_BYTES_MAX,
} from '../../firmware-bridge/src/broker/decode.ts';
import { propertyRuns } from '../support/counts.ts';
import { message, text } from './support/messages.ts';

describe('what nobody understands', () => {
  test.each([
    ['', 'integer'],
    ['NaN', 'integer'],
    ['true', 'boolean'],
    ['null', 'null'],
    ['-1', '>=0'],
    ['1024', '<=1023'],
    ['512.5', 'int'],
    ['1e999', ''],
    ['"512"', 'string'],
    ['0512', 'integer'],
    ['512 513', 'integer'],
    ['512﻿3', 'integer'],
    ['{}', 'soil_moisture'],
    ['[]', 'empty'],
    ['{"soil_moisture":true}', 'soil_moisture'],
    ['{"soil_moisture":"512"}', 'soil_moisture'],
    ['{"soil_moisture":512,"datetime":"2026-03-02T00:00:00"}', 'datetime'],
    ['{"soil_moisture":512,"datetime":1772409600}', 'datetime'],
    ['{"soil_moisture":512,"datetime":null}', 'datetime'],
    ['{"soil_moisture":512,"seq":1.5}', 'seq'],
    ['{"soil_moisture":512,"seq":9007199254740992}', 'seq'],
    ['{"soil_moisture":512,"humidity":3}', 'humidity'],
    ['{"__proto__":{"soil_moisture":512}}', 'soil_moisture'],
    ['{"soil_moisture":512,"__proto__":{"polluted":1}}', '__proto__'],
  ])('ING-4 %j is one dead letter that holds it and says why', (payload, word) => {
    const decoded = decodeMessage(message(payload));
    expect(decoded.readings).toEqual([]);
    expect(text(decoded)).toBe(payload);
    expect(decoded.deadLetter?.reason).toContain(word);
    expect('polluted' in {}).toBe(false);
  });

  test('ING-4 bytes that are no UTF-8 are kept as they came', () => {
    const payload = Uint8Array.of(0x35, 0xff, 0x31);
    const decoded = decodeMessage(message(payload));
    expect(decoded.readings).toEqual([]);
    expect([...(decoded.deadLetter?.payload ?? [])]).toEqual([...payload]);
  });

  test.each([
    ['a payload of one megabyte', '5'.repeat(PAYLOAD_BYTES_MAX)],
    ['a payload above one megabyte', ' '.repeat(PAYLOAD_BYTES_MAX + 1)],
    ['too many readings', `[${'1,'.repeat(READINGS_PER_MESSAGE_MAX)}1]`],
    ['half a million open brackets', '['.repeat(500_000)],
    ['nesting half a million deep', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    [
      'elements nested too deeply',
      `[${Array.from({ length: 50 }, () => `${'['.repeat(9000)}${']'.repeat(9000)}`).join()}]`,
    ],
    ['nested objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('ING-4 %s is one dead letter, and holds up its neighbour by less than a second', (_, payload) => {
    const before = process.cpuUsage();
    const decoded = decodeMessage(message(payload));
    const { user, system } = process.cpuUsage(before);
    expect(decoded.readings).toEqual([]);
    expect(decoded.deadLetter?.reason.length).toBeLessThanOrEqual(200);
    // Processor time does not depend on other load. Messages of other boards wait for this time.
    expect(user + system).toBeLessThan(1_000_000);
  });

  test.each([
    'lab/plants/fern/availability',
    'lab/plants//soil_moisture',
    'lab/plants/a/b/soil_moisture',
    'lab/plants/a\u0001/soil_moisture',
    'lab/plants/moss\u202e/soil_moisture',
    `lab/plants/${'x'.repeat(65)}/soil_moisture`,
    'lab/plants/fern/soil_moisture/x',
  ])('a message on %j is a dead letter', (topic) => {
    expect(decodeMessage(message('512', { topic }))).toMatchObject({
      readings: [],
      deadLetter: { reason: 'the topic contains no plant' },
    });
  });
});

describe('whatever comes', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ maxLength: 200, unit: 'binary' }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .array(
        fc.oneof(
          fc.integer({ min: -10, max: 1100 }),
          fc.record(
            {
              soil_moisture: fc.oneof(fc.integer({ min: -5, max: 1030 }), fc.anything()),
              datetime: fc.oneof(
                fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
                fc.string(),
              ),
              seq: fc.oneof(fc.maxSafeInteger(), fc.double()),
            },
            { requiredKeys: [] },
          ),
          fc.constantFrom('__proto__', 'constructor', true, null),
        ),
        { maxLength: 8 },
      )
      .map((value) =>
        Buffer.from(JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? 1 : part))),
      ),
  );

  test('ING-4 every payload ends in readings or dead letters, never in neither, never in an error', () => {
    fc.assert(
      fc.property(anything, fc.boolean(), (payload, retained) => {
        const { readings, deadLetter } = decodeMessage(message(payload, { retained }));
        expect(readings.length + (deadLetter?.count ?? 0)).toBeGreaterThan(0);
        for (const { soilMoisture, datetime, seq } of readings) {
          expect(Number.isInteger(soilMoisture) && soilMoisture >= 0 && soilMoisture <= 1023).toBe(true);
          expect(Number.isSafeInteger(datetime)).toBe(true);
          expect(seq === null || Number.isSafeInteger(seq)).toBe(true);
        }
        expect(deadLetter?.reason).not.toBe('');
      }),
      propertyRuns(),
    );
  });

  test('every good report comes out as it went in', () => {
    const report = fc.record({
      soil_moisture: fc.integer({ min: 0, max: 1023 }),
      datetime: fc
        .date({ min: new Date('2015-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      seq: fc.maxSafeInteger(),
    });
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 20 }), (reports) => {
        const { readings, deadLetter } = decodeMessage(message(JSON.stringify(reports)));
        expect(deadLetter).toBeNull();
        expect(
          readings.map(({ soilMoisture, datetime, seq }) => ({
            soil_moisture: soilMoisture,
            datetime: new Date(datetime).toISOString(),
            seq,
          })),
        ).toEqual(reports.map((one) => ({ ...one, seq: one.seq + 0 })));
      }),
      propertyRuns(),
    );
  });
});
