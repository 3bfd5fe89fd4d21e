import type { ClassKey } from '#contract/students';
import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  classText,
  initialClass,
  parseChosenClass,
  rememberClass,
  rememberedClass,
  type ChosenClass,
} from '../../web/src/lib/chosen-class.ts';
import { propertyRuns } from '../support/counts.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
});

const NOVEMBER = Date.parse('2026-11-22T12:00:00+09:00');
const MARCH = Date.parse('2027-03-02T12:00:00+09:00');
const systems: ClassKey = { year: 2026, semester: 2, subject: '운영체제' };
const before: ClassKey = { year: 2025, semester: 2, subject: '운영체제' };
const circuits: ClassKey = { year: 2026, semester: 2, subject: '회로 이론' };

const anyClass = fc.record({
  year: fc.integer({ min: 2021, max: 2050 }),
  semester: fc.constantFrom<1 | 2>(1, 2),
  subject: fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
});

test('STU-14 a class is read from the address and from memory as it was written, whatever its subject is called', () => {
  fc.assert(
    fc.property(fc.oneof(anyClass, fc.constant('all' as const)), (chosen: ChosenClass) => {
      expect(parseChosenClass(classText(chosen))).toEqual(chosen);
      rememberClass(7, chosen, NOVEMBER);
      expect(rememberedClass(7)).toEqual({ term: 20262, chosen });
    }),
    propertyRuns(),
  );
  expect(classText(systems)).toBe('2026-2-운영체제');
});

test.each([undefined, '', '운영체제', '2026-3-운영체제', '1999-1-x', '2026-2-', 2026, ['all']])(
  'STU-14 an address that says %j names no class',
  (text) => {
    expect(parseChosenClass(text)).toBeUndefined();
  },
);

test('STU-14 another user of the browser has another memory', () => {
  rememberClass(7, systems, NOVEMBER);
  expect(rememberedClass(8)).toBeUndefined();
});

test('STU-14 the only class of the running term comes first, and of several none is guessed', () => {
  expect(initialClass([systems, before], undefined, NOVEMBER)).toBe(systems);
  expect(initialClass([systems, circuits], undefined, NOVEMBER)).toBe('all');
  expect(initialClass([before], undefined, NOVEMBER)).toBe('all');
  expect(initialClass([], undefined, NOVEMBER)).toBe('all');
});

test('STU-14 what was chosen in this term stays; what was chosen before gives way to the new term’s only class', () => {
  const inNovember = (chosen: ChosenClass) => ({ term: 20262, chosen });
  expect(initialClass([systems, before], inNovember(before), NOVEMBER)).toEqual(before);
  expect(initialClass([systems, before], inNovember('all'), NOVEMBER)).toBe('all');
  const next: ClassKey = { year: 2027, semester: 1, subject: '운영체제' };
  expect(initialClass([next, systems], inNovember(systems), MARCH)).toBe(next);
  expect(initialClass([systems, before], inNovember(systems), MARCH)).toEqual(systems);
  // It was purged.
  expect(initialClass([before], inNovember(systems), MARCH)).toBe('all');
});
