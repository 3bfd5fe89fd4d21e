import { beforeEach, expect, test, vi } from 'vitest';
import {
  firstName,
  forgetKept,
  keep,
  keptNames,
  readKept,
} from '../../web/src/features/scores/classes/kept-classes.ts';
import { EMPTY_WORK, pasted } from '../../web/src/features/scores/work.ts';
import { forgetPrivate } from '../../web/src/lib/private-storage.ts';
import { MemoryStorage } from '../support/memory-storage.ts';

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  return () => vi.unstubAllGlobals();
});

const os = pasted(EMPTY_WORK, '운영체제\n이름\t총점\n김가람\t90\n이나린\t80');
const embedded = pasted(EMPTY_WORK, '이름\t총점\n박다온\t90\n이나린\t80');

test('SCO-8 each class has its place, each user has a place of their own', () => {
  expect(keep(1, '운영체제', os, null)).toHaveProperty('text');
  expect(keep(1, '임베디드', embedded, null)).toHaveProperty('text');
  expect(keep(2, '운영체제', embedded, null)).toHaveProperty('text');
  expect(keptNames(1)).toEqual(['운영체제', '임베디드']);
  expect(readKept(1, '운영체제')?.work).toEqual(os);
  expect(readKept(2, '운영체제')?.work).toEqual(embedded);
  forgetKept(1, '임베디드');
  expect(keptNames(1)).toEqual(['운영체제']);
});

test('SCO-8 nothing is written over what a tab has not seen', () => {
  const first = keep(1, '운영체제', os, null);
  expect(keep(1, '운영체제', embedded, null)).toBe('elsewhere');
  expect(readKept(1, '운영체제')?.work).toEqual(os);
  const seen = typeof first === 'string' ? null : first.text;
  expect(keep(1, '운영체제', embedded, seen)).toHaveProperty('text');
  // A class that was forgotten in another tab does not come back by itself.
  forgetKept(1, '운영체제');
  expect(keep(1, '운영체제', embedded, seen)).toBe('elsewhere');
  expect(keptNames(1)).toEqual([]);
});

test('SCO-8 signing out forgets what is kept for this user, and nothing else', () => {
  keep(1, '운영체제', os, null);
  keep(11, '운영체제', os, null);
  localStorage.setItem('theme', 'dark');
  forgetPrivate(1);
  expect(keptNames(1)).toEqual([]);
  expect(keptNames(11)).toEqual(['운영체제']);
  expect(localStorage.getItem('theme')).toBe('dark');
});

test('SCO-8 a class is called after the title above it, or has the next number', () => {
  expect(firstName(os, [])).toBe('운영체제');
  expect(firstName(embedded, ['강의 1'])).toBe('강의 2');
});
