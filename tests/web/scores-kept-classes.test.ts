import { MemoryStorage } from '../support/memory-storage.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  draftOf,
  firstName,
  keptNames,
  placeOf,
  workOf,
} from '../../web/src/features/scores/classes/kept-classes.ts';
import { pasted } from '../../web/src/features/scores/paste/pasted-again.ts';
import { EMPTY_WORK, withExclusion, withGradeByHand, withRules } from '../../web/src/features/scores/work.ts';
import { draftAt, dropDraft, isDraftOfOthers, keepDraft } from '../../web/src/lib/drafts.ts';
import { forgetPrivate } from '../../web/src/lib/stored-text.ts';

let userId = 0;

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  // The module remembers what it has seen of a user.
  userId += 100;
  return () => vi.unstubAllGlobals();
});

const os = pasted(EMPTY_WORK, '운영체제\n이름\t총점\n김가람\t90\n이나린\t80');
const embedded = pasted(EMPTY_WORK, '이름\t총점\n박다온\t90\n이나린\t80');
const keyOf = (name: string) => `private/${userId}/drafts/${placeOf(name)}`;

test('SCO-8 each class has its place, each user has a place of their own', () => {
  keepDraft(userId, placeOf('운영체제'), draftOf(os));
  keepDraft(userId, placeOf('임베디드'), draftOf(embedded));
  keepDraft(userId, placeOf(undefined), draftOf(embedded));
  keepDraft(userId + 1, placeOf('운영체제'), draftOf(embedded));
  expect(keptNames(userId)).toEqual(['운영체제', '임베디드']);
  expect(workOf(draftAt(userId, placeOf('운영체제')))).toEqual(os);
  expect(workOf(draftAt(userId + 1, placeOf('운영체제')))).toEqual(embedded);
  dropDraft(userId, placeOf('임베디드'));
  expect(keptNames(userId)).toEqual(['운영체제']);
});

test('SCO-8 what another tab has written or removed is told before something is written over it', () => {
  const seen = draftOf(os);
  keepDraft(userId, placeOf('운영체제'), seen);
  expect(isDraftOfOthers(userId, placeOf('운영체제'), seen)).toBe(false);
  expect(isDraftOfOthers(userId, placeOf('운영체제'), undefined)).toBe(true);
  localStorage.setItem(keyOf('운영체제'), JSON.stringify(draftOf(embedded)));
  expect(isDraftOfOthers(userId, placeOf('운영체제'), seen)).toBe(true);
  const theirs = draftAt(userId, placeOf('운영체제'));
  expect(workOf(theirs)).toEqual(embedded);
  // A class that was forgotten in another tab does not come back by itself.
  localStorage.removeItem(keyOf('운영체제'));
  expect(isDraftOfOthers(userId, placeOf('운영체제'), theirs)).toBe(true);
  expect(keptNames(userId)).toEqual([]);
});

test('SCO-8 what a browser kept comes back as it was; of what it cannot read the text remains', () => {
  const full = withRules(withExclusion(withGradeByHand(os, 2, 'B'), 3, true), {
    method: 'relaxed',
    floors: { F: 40 },
    cutoffs: { A: 90 },
    rounding: 'half-up',
  });
  keepDraft(userId, placeOf('운영체제'), draftOf(full));
  const stored = localStorage.getItem(keyOf('운영체제')) ?? '';
  expect(stored).not.toContain('"table"');
  expect(workOf(JSON.parse(stored))).toEqual(full);
  const { text } = os;
  expect(workOf({ start: {}, value: { text, rules: { method: 'relaxed' } } })).toEqual(os);
  expect(workOf({ start: {}, value: { rules: {} } })).toBeUndefined();
  expect(workOf(undefined)).toBeUndefined();
});

test('SCO-8 signing out forgets what is kept for this user, and nothing else', () => {
  keepDraft(userId, placeOf('운영체제'), draftOf(os));
  keepDraft(userId + 1, placeOf('운영체제'), draftOf(os));
  localStorage.setItem('theme', 'dark');
  forgetPrivate(userId);
  expect(keptNames(userId)).toEqual([]);
  expect(keptNames(userId + 1)).toEqual(['운영체제']);
  expect(localStorage.getItem('theme')).toBe('dark');
});

test('SCO-8 a class is called after the title above it, or has the next number', () => {
  expect(firstName(os, [])).toBe('운영체제');
  expect(firstName(embedded, ['강의 1'])).toBe('강의 2');
});
