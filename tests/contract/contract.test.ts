import { ANONYMOUS_LEVEL, hasAccess, LEVELS, secureLevelSchema } from '#contract/access-levels';
import { englishTargetNote, isKoreanTarget, targetText } from '#contract/course-target';
import { courseFormSchema, courseSchema } from '#contract/courses';
import { ledgerEntryChangeSchema } from '#contract/ledger';
import { univIdSchema } from '#contract/users';
import { plantChangeSchema, plantQuerySchema } from '#contract/plants';
import { textToSign } from '#contract/readings';
import { studentFormSchema } from '#contract/students';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(200, 10_000);

describe('access levels', () => {
  test('the lower the level the more is allowed', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(1000), (a, b, required) => {
        expect(hasAccess(Math.min(a, b), required) || !hasAccess(Math.max(a, b), required)).toBe(true);
      }),
      options,
    );
  });

  test('anonymous is weaker than every user', () => {
    for (const level of LEVELS) expect(hasAccess(ANONYMOUS_LEVEL, level)).toBe(false);
  });

  test.each([0, -1, 2, 1.5, '1', null, true, [1]])('SEC-20 %j is no level', (level) => {
    expect(secureLevelSchema.safeParse(level).success).toBe(false);
  });
});

describe('student numbers', () => {
  test('AUTH-7 20 and six or seven more digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^20[0-9]{6,7}$/), (number) => {
        expect(univIdSchema.safeParse(number).success).toBe(true);
      }),
      options,
    );
  });

  test('AUTH-7 nothing else, with the Korean message', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{0,12}$/)), (text) => {
        const isNumber =
          text.startsWith('20') &&
          [8, 9].includes(text.length) &&
          text.split('').every((digit) => '0123456789'.includes(digit));
        const result = univIdSchema.safeParse(text);
        const message = result.error?.issues[0]?.message;
        expect(message).toBe(isNumber ? undefined : '학번/직번을 올바르게 입력하세요');
      }),
      options,
    );
  });
});

describe('the query of readings', () => {
  test.each(['1', '2000'])('points=%s is a number', (points) => {
    expect(plantQuerySchema.parse({ points }).points).toBe(Number(points));
  });
});

test('CRS-3 the target reads as its year or its programme, or as its own words', () => {
  const text = (target: number, target_etc = '') =>
    targetText(courseSchema.pick({ target: true, target_etc: true }).parse({ target, target_etc }));
  expect([1, 2, 3, 4].map((target) => text(target))).toEqual(['1학년', '2학년', '3학년', '4학년']);
  expect([5, 6, 7].map((target) => text(target))).toEqual([
    'Masters Course',
    'Masters & PhD Course',
    'PhD Course',
  ]);
  expect(text(0, '고교생')).toBe('고교생');
});

test('PUB-13 in English a Korean target has its meaning beside it, its own words only where they are given', () => {
  const targets = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  expect(targets.filter(isKoreanTarget)).toEqual([0, 1, 2, 3, 4]);
  expect(englishTargetNote({ target: 4, target_etc_en: '' })).toBe('Year 4');
  expect(englishTargetNote({ target: 0, target_etc_en: 'Pupils' })).toBe('Pupils');
  expect(englishTargetNote({ target: 0, target_etc_en: '' })).toBe('');
});

test('ING-2 the signed text is the timestamp, the method, the path and the hash of the body, one a line', () => {
  expect(textToSign('1772409600', 'POST', '/readings', 'ab12')).toBe('1772409600\nPOST\n/readings\nab12');
});

test.each([
  ['a course', courseFormSchema, { year: 2026, semester: 1, subject: '가', subject_en: 'A', target: 1 }],
  ['an entry', ledgerEntryChangeSchema, { amount: 1, datetime: '2026-03-02T13:00:00', description: '' }],
  [
    'a plant',
    plantChangeSchema,
    { dry: null, wet: null, alert_below: 20, alert_clear: 25, stale_after_minutes: 60 },
  ],
  ['a student', studentFormSchema, { name: '이나래', department: '', tel: '', email: '' }],
])('WORK-4 a client that knows no more than the first fields of %s changes no other', (_, schema, sent) => {
  expect(schema.parse(sent)).toStrictEqual(sent);
});
