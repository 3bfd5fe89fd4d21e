import { beforeEach, expect, test, vi } from 'vitest';
import {
  draftAt,
  dropDraft,
  forgetDrafts,
  hasDrafts,
  keepDraft,
  onDraftChange,
} from '../../web/src/lib/drafts.ts';
import { forgetPrivate } from '../../web/src/lib/stored-text.ts';
import { shownToasts } from '../../web/src/lib/toast.ts';
import { MemoryStorage } from '../support/memory-storage.ts';

const typed = { start: { subject: '', year: '2026' }, value: { subject: '운영', year: '2026' } };
let userId = 100;

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  // The module remembers what it has seen of a user.
  userId += 1;
  return () => vi.unstubAllGlobals();
});

test('WORK-1 a draft is stored for its user and its place, and for nobody else', () => {
  keepDraft(userId, 'courses/new', typed);
  expect(draftAt(userId, 'courses/new')).toEqual(typed);
  expect(JSON.parse(localStorage.getItem(`private/${userId}/drafts/courses/new`) ?? '')).toEqual(typed);
  expect(draftAt(userId, 'courses/12')).toBeUndefined();
  expect(draftAt(userId + 1000, 'courses/new')).toBeUndefined();
  expect(hasDrafts(userId)).toBe(true);
  expect(hasDrafts(userId + 1000)).toBe(false);
});

test('WORK-1 what an earlier page has stored is found, and nonsense is not', () => {
  localStorage.setItem(`private/${userId}/drafts/a`, JSON.stringify(typed));
  localStorage.setItem(`private/${userId}/drafts/b`, '{"start":');
  localStorage.setItem(`private/${userId}/drafts/c`, '"text"');
  expect(draftAt(userId, 'a')).toEqual(typed);
  expect(draftAt(userId, 'b')).toBeUndefined();
  expect(draftAt(userId, 'c')).toBeUndefined();
});

test('WORK-1 changed back or saved it is gone, and who shows it is told', () => {
  const told = vi.fn<() => void>();
  const stop = onDraftChange(told);
  keepDraft(userId, 'a', typed);
  keepDraft(userId, 'a', { start: typed.start, value: { ...typed.start } });
  expect(draftAt(userId, 'a')).toBeUndefined();
  expect(Object.keys(localStorage)).toEqual([]);
  keepDraft(userId, 'a', typed);
  dropDraft(userId, 'a');
  expect(hasDrafts(userId)).toBe(false);
  expect(told).toHaveBeenCalledTimes(4);
  stop();
});

test('WORK-1 a logout leaves nothing, neither stored nor in memory', () => {
  keepDraft(userId, 'a', typed);
  keepDraft(userId + 1000, 'a', typed);
  forgetPrivate(userId);
  forgetDrafts(userId);
  expect(hasDrafts(userId)).toBe(false);
  expect(draftAt(userId, 'a')).toBeUndefined();
  expect(hasDrafts(userId + 1000)).toBe(true);
  expect(Object.keys(localStorage)).toEqual([`private/${userId + 1000}/drafts/a`]);
});

test('WORK-1 a browser that stores nothing more is told of once, and the draft lives as long as the page', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: () => undefined,
  });
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const before = shownToasts().length;
  keepDraft(userId, 'a', typed);
  keepDraft(userId, 'a', { ...typed, value: { ...typed.value, subject: '운영체제' } });
  expect(shownToasts().length - before).toBe(1);
  expect(draftAt(userId, 'a')?.value).toEqual({ subject: '운영체제', year: '2026' });
  expect(hasDrafts(userId)).toBe(true);
  dropDraft(userId, 'a');
  warn.mockRestore();
});
