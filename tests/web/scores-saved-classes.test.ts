import { MemoryStorage } from '../support/memory-storage.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  draftOf,
  firstName,
  savedNames,
  placeOf,
  workOf,
} from '../../web/src/features/scores/classes/saved-classes.ts';
import { withTable } from '../../web/src/features/scores/paste/pasted-again.ts';
import { EMPTY_WORK, withExclusion, withGradeByHand, withRules } from '../../web/src/features/scores/work.ts';
import { draftAt, dropDraft, isDraftOfOthers, storeDraft } from '../../web/src/lib/drafts.ts';
import { signIn } from '../support/pretended-draft-keys.ts';

// Another file of this process may have loaded what is mocked here.
vi.hoisted(() => vi.resetModules());
vi.mock('../../web/src/lib/api.ts', () => import('../support/pretended-draft-keys.ts'));

let userId = 0;

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('isSecureContext', true);
  // The module remembers what it has seen of a user.
  userId += 100;
  signIn(userId);
  return () => vi.unstubAllGlobals();
});

const os = withTable(EMPTY_WORK, '운영체제\n이름\t총점\n김가람\t90\n이나린\t80');
const embedded = withTable(EMPTY_WORK, '이름\t총점\n박다온\t90\n이나린\t80');

test('SCO-8 each class has its place', () => {
  storeDraft(userId, placeOf('운영체제'), draftOf(os));
  storeDraft(userId, placeOf('임베디드'), draftOf(embedded));
  storeDraft(userId, placeOf(undefined), draftOf(embedded));
  expect(savedNames(userId)).toEqual(['운영체제', '임베디드']);
  expect(workOf(draftAt(userId, placeOf('운영체제')))).toEqual(os);
  dropDraft(userId, placeOf('임베디드'));
  expect(savedNames(userId)).toEqual(['운영체제']);
});

test('SCO-8 what another tab has written or removed is told before something is written over it', async () => {
  const seen = draftOf(os);
  storeDraft(userId, placeOf('운영체제'), seen);
  expect(isDraftOfOthers(userId, placeOf('운영체제'), seen)).toBe(false);
  expect(isDraftOfOthers(userId, placeOf('운영체제'), undefined)).toBe(true);
  const nameOf = () => Object.keys(localStorage).find((name) => name.startsWith(`private/${userId}/drafts/`));
  await expect.poll(nameOf).toBeDefined();
  expect(isDraftOfOthers(userId, placeOf('운영체제'), seen)).toBe(false);
  // The other tab's event is still on its way.
  const name = nameOf() ?? '';
  localStorage.setItem(name, `${Date.now()}.of another tab`);
  expect(isDraftOfOthers(userId, placeOf('운영체제'), seen)).toBe(true);
  localStorage.removeItem(name);
  expect(isDraftOfOthers(userId, placeOf('운영체제'), seen)).toBe(true);
});

test('SCO-8 what a browser kept comes back as it was; of what it cannot read the text remains', () => {
  const full = withRules(withExclusion(withGradeByHand(os, 2, 'B'), 3, true), {
    method: 'relaxed',
    floors: { F: 40 },
    cutoffs: { A: 90 },
    rounding: 'half-up',
  });
  const stored = JSON.stringify(draftOf(full));
  expect(stored).not.toContain('"table"');
  expect(workOf(JSON.parse(stored))).toEqual(full);
  const { text } = os;
  expect(workOf({ start: {}, value: { text, rules: { method: 'relaxed' } } })).toEqual(os);
  expect(workOf({ start: {}, value: { rules: {} } })).toBeUndefined();
  expect(workOf(undefined)).toBeUndefined();
});

test('SCO-8 a class is called after the title above it, or has the next number', () => {
  expect(firstName(os, [])).toBe('운영체제');
  expect(firstName(embedded, ['강의 1'])).toBe('강의 2');
});
