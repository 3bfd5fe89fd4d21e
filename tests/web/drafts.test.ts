import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  areDraftsLoaded,
  draftAt,
  draftPlacesUnder,
  dropDraft,
  forgetDrafts,
  hasDrafts,
  isDraftRefused,
  storeDraft,
  onDraftChange,
  loadDrafts,
} from '../../web/src/lib/drafts.ts';
import { removePrivateTexts } from '../../web/src/lib/stored-text.ts';
import { shownToasts } from '../../web/src/lib/toast-queue.ts';
import { MemoryStorage } from '../support/memory-storage.ts';
import { signIn } from '../support/pretended-draft-keys.ts';

// Another file of this process may have loaded what is mocked here.
vi.hoisted(() => vi.resetModules());
vi.mock('../../web/src/lib/api.ts', () => import('../support/pretended-draft-keys.ts'));

const typed = { start: { subject: '', year: '2026' }, value: { subject: '운영', year: '2026' } };
const DAY = 24 * 60 * 60 * 1000;
let userId = 100;

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('isSecureContext', true);
  // The module remembers what it has seen of a user.
  userId += 10;
  signIn(userId);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const names = () => Object.keys(localStorage);
const texts = () => names().map((name) => `${name} ${localStorage.getItem(name)}`);
const untilStored = async (count: number) => await expect.poll(() => names().length).toBe(count);

/** The page anew, as after a reload: what another user of this browser, or the same one, finds. */
async function reloaded(user: number) {
  vi.resetModules();
  signIn(user);
  const drafts = await import('../../web/src/lib/drafts.ts');
  await drafts.loadDrafts(user);
  return drafts;
}

test('WORK-1 a draft is stored for its user and its place, and for nobody else', async () => {
  storeDraft(userId, 'courses/new', typed);
  expect(draftAt(userId, 'courses/new')).toBe(typed);
  expect(draftAt(userId, 'courses/12')).toBeUndefined();
  expect(draftAt(userId + 1, 'courses/new')).toBeUndefined();
  expect([hasDrafts(userId), hasDrafts(userId + 1)]).toEqual([true, false]);
  await untilStored(1);
  const again = await reloaded(userId);
  expect(again.draftAt(userId, 'courses/new')).toEqual(typed);
  expect(again.draftPlacesUnder(userId, 'courses/')).toEqual(['new']);
});

test('SEC-97 what was typed cannot be read where it is stored, nor by another user of the browser', async () => {
  storeDraft(userId, 'students/202255123', { start: '', value: '김가람 010-1234-5678' });
  await untilStored(1);
  expect(texts().join('\n')).not.toMatch(/김가람|010|202255123/);
  const others = await reloaded(userId + 1);
  expect(others.draftPlacesUnder(userId + 1, '')).toEqual([]);
  expect(others.draftAt(userId, 'students/202255123')).toBeUndefined();
  // Under their own name it is not theirs either.
  const [name = ''] = names();
  const moved = name.replace(String(userId), String(userId + 1));
  localStorage.setItem(moved, localStorage.getItem(name) ?? '');
  expect((await reloaded(userId + 1)).draftPlacesUnder(userId + 1, '')).toEqual([]);
  expect((await reloaded(userId)).draftPlacesUnder(userId, '')).toEqual(['students/202255123']);
});

test('SEC-97 nobody is given the key without a session: what is stored stays closed', async () => {
  storeDraft(userId, 'a', typed);
  await untilStored(1);
  vi.resetModules();
  signIn(undefined);
  vi.spyOn(console, 'warn').mockReturnValue();
  const closed = await import('../../web/src/lib/drafts.ts');
  await closed.loadDrafts(userId);
  expect(closed.areDraftsLoaded(userId)).toBe(true);
  expect(closed.draftAt(userId, 'a')).toBeUndefined();
});

test('SEC-97 seven days after its last change a draft is gone, whoever comes, and one that lies in clear at once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  storeDraft(userId, 'a', typed);
  await untilStored(1);
  vi.setSystemTime(Date.now() + 4 * DAY);
  storeDraft(userId, 'b', typed);
  await untilStored(2);
  vi.setSystemTime(Date.now() + 2.9 * DAY);
  expect((await reloaded(userId)).draftPlacesUnder(userId, '').toSorted()).toEqual(['a', 'b']);
  vi.setSystemTime(Date.now() + 0.2 * DAY);
  localStorage.setItem(`private/${userId}/drafts/students/import`, JSON.stringify(typed));
  await reloaded(userId + 1);
  expect(names().length).toBe(1);
  expect((await reloaded(userId)).draftPlacesUnder(userId, '')).toEqual(['b']);
});

test('SEC-97 a text that was given another time is not opened', async () => {
  storeDraft(userId, 'a', typed);
  await untilStored(1);
  const [name = ''] = names();
  const [at = '', sealed = ''] = (localStorage.getItem(name) ?? '').split('.');
  localStorage.setItem(name, `${Number(at) + 1}.${sealed}`);
  expect((await reloaded(userId)).draftPlacesUnder(userId, '')).toEqual([]);
});

test('WORK-1 the last of many changes is the one that is stored', async () => {
  for (const subject of ['운', '운영', '운영체', '운영체제'])
    storeDraft(userId, 'a', { ...typed, value: { subject, year: '2026' } });
  await untilStored(1);
  const storedNow = async () => (await reloaded(userId)).draftAt(userId, 'a')?.value;
  await expect.poll(storedNow).toEqual({ subject: '운영체제', year: '2026' });
});

test('WORK-1 changed back or saved it is gone, also while it is being stored, and who shows it is told', async () => {
  const told = vi.fn<() => void>();
  const stop = onDraftChange(told);
  storeDraft(userId, 'a', typed);
  storeDraft(userId, 'a', { start: typed.start, value: { ...typed.start } });
  expect(draftAt(userId, 'a')).toBeUndefined();
  storeDraft(userId, 'b', typed);
  await untilStored(1);
  storeDraft(userId, 'c', typed);
  await untilStored(2);
  dropDraft(userId, 'b');
  dropDraft(userId, 'c');
  expect(hasDrafts(userId)).toBe(false);
  expect(names()).toEqual([]);
  expect(told.mock.calls.length).toBeGreaterThanOrEqual(6);
  stop();
});

test('WORK-1 a logout leaves nothing, neither stored nor in memory', async () => {
  storeDraft(userId, 'a', typed);
  await untilStored(1);
  localStorage.setItem(`private/${userId + 1}/drafts/a`, '0.of another user');
  storeDraft(userId, 'late', typed);
  removePrivateTexts(userId);
  forgetDrafts(userId);
  expect(hasDrafts(userId)).toBe(false);
  expect(draftPlacesUnder(userId, '')).toEqual([]);
  expect(names()).toEqual([`private/${userId + 1}/drafts/a`]);
});

const full = () => {
  throw new DOMException('full', 'QuotaExceededError');
};

test.each([
  ['whose storage is full', () => vi.spyOn(localStorage, 'setItem').mockImplementation(full)],
  ['that encrypts nothing', () => vi.stubGlobal('isSecureContext', false)],
  ['whose session has ended', () => signIn(undefined)],
])('WORK-1 SEC-97 a browser %s says so once, and the draft lives as long as the page', async (_, arrange) => {
  arrange();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  storeDraft(userId, 'a', typed);
  await expect.poll(() => isDraftRefused(userId, 'a')).toBe(true);
  const later = { ...typed, value: { ...typed.value, subject: '운영체제' } };
  storeDraft(userId, 'a', later);
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1);
  const told = shownToasts().filter(({ text }) => text.includes('임시 저장하지 못했습니다'));
  expect(told.length).toBe(1);
  expect(draftAt(userId, 'a')).toBe(later);
  expect(areDraftsLoaded(userId)).toBe(true);
  expect(names()).toEqual([]);
  dropDraft(userId, 'a');
  await loadDrafts(userId);
  vi.restoreAllMocks();
});
