import { MemoryStorage } from '../support/memory-storage.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  draftOfWork,
  defaultClassName,
  savedClassNames,
  draftPlace,
  workFromDraft,
} from '../../web/src/features/scores/classes/saved-classes.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
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
  storeDraft(userId, draftPlace('운영체제'), draftOfWork(os));
  storeDraft(userId, draftPlace('임베디드'), draftOfWork(embedded));
  storeDraft(userId, draftPlace(undefined), draftOfWork(embedded));
  expect(savedClassNames(userId)).toEqual(['운영체제', '임베디드']);
  expect(workFromDraft(draftAt(userId, draftPlace('운영체제')))).toEqual(os);
  dropDraft(userId, draftPlace('임베디드'));
  expect(savedClassNames(userId)).toEqual(['운영체제']);
});

test('SCO-8 SCO-9 what was set for the table before is kept until the question about it is answered', () => {
  const asked = withTable(withGradeByHand(os, 2, 'F'), '운영체제\n이름\t총점\n김가람\t91\n이나린\t80');
  expect(asked.before?.byRow).toEqual({ 2: { grade: 'F', handReason: undefined } });
  storeDraft(userId, draftPlace('운영체제'), draftOfWork(asked));
  expect(workFromDraft(draftAt(userId, draftPlace('운영체제')))).toEqual(asked);
});

test('SCO-8 what another tab has written or removed is told before something is written over it', async () => {
  const seen = draftOfWork(os);
  storeDraft(userId, draftPlace('운영체제'), seen);
  expect(isDraftOfOthers(userId, draftPlace('운영체제'), seen)).toBe(false);
  expect(isDraftOfOthers(userId, draftPlace('운영체제'), undefined)).toBe(true);
  const nameOf = () => Object.keys(localStorage).find((name) => name.startsWith(`private/${userId}/drafts/`));
  await expect.poll(nameOf).toBeDefined();
  expect(isDraftOfOthers(userId, draftPlace('운영체제'), seen)).toBe(false);
  // The other tab's event is still on its way.
  const name = nameOf() ?? '';
  localStorage.setItem(name, `${Date.now()}.of another tab`);
  expect(isDraftOfOthers(userId, draftPlace('운영체제'), seen)).toBe(true);
  localStorage.removeItem(name);
  expect(isDraftOfOthers(userId, draftPlace('운영체제'), seen)).toBe(true);
});

test('SCO-8 what a browser kept comes back as it was; of what it cannot read the text remains', () => {
  const full = withRules(withExclusion(withGradeByHand(os, 2, 'B'), 3, true), {
    method: 'relaxed',
    floors: { F: 40 },
    cutoffs: { A: 90 },
    rounding: 'half-up',
  });
  const stored = JSON.stringify(draftOfWork(full));
  expect(stored).not.toContain('"table"');
  expect(workFromDraft(JSON.parse(stored))).toEqual(full);
  const { text } = os;
  expect(workFromDraft({ start: {}, value: { text, rules: { method: 'relaxed' } } })).toEqual(os);
  expect(workFromDraft({ start: {}, value: { rules: {} } })).toBeUndefined();
  expect(workFromDraft(undefined)).toBeUndefined();
});

test('SCO-8 a class is called after the title above it, or has the next number', () => {
  expect(defaultClassName(os, [])).toBe('운영체제');
  expect(defaultClassName(embedded, ['강의 1'])).toBe('강의 2');
});
