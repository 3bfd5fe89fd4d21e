import { isRecord } from './is-record.ts';
import { loginState, onLoginChange } from './login-state.ts';
import { privateKey, privateNames, readStoredText, writeStoredText } from './stored-text.ts';
import { showToast } from './toast.ts';

/*
 * What a user has typed or pasted and not saved, by place (`courses/12`). A place holds one draft, which all tabs of
 * the user show. It outlives the session; it goes when it is saved, discarded, or with logout. Nothing else writes, reads
 * or removes what somebody has typed: `takeIn` reads a stored draft, `store` writes it, `dropDraft` removes it.
 */

/** `start` is what the form began with, `value` what it has become. */
export type Draft = { start: unknown; value: unknown };

const START = 'drafts/';
/** What this page has read or written, by key, with its stored text. */
const known = new Map<string, { text: string | null; draft: Draft | undefined }>();
/** Drafts that the browser has refused to store. They live as long as the page. */
const refused = new Set<string>();
const listeners = new Set<() => void>();

const keyOf = (userId: number, place: string) => privateKey(userId, START + place);
/** A user's drafts begin with it. */
const startOf = (userId: number) => keyOf(userId, '');

export function draftAt(userId: number, place: string): Draft | undefined {
  const key = keyOf(userId, place);
  if (!known.has(key)) takeIn(key);
  return known.get(key)?.draft;
}

/** Whether the place holds another draft than `seen`, which this page has read or written there: another tab was there. */
export function isDraftOfOthers(userId: number, place: string, seen: Draft | undefined): boolean {
  const key = keyOf(userId, place);
  // The event that tells of it may still be on its way.
  if (!refused.has(key) && takeIn(key)) tellListeners();
  return draftAt(userId, place) !== seen;
}

/** Places of the user's drafts that begin with `start`, without it. */
export function draftNames(userId: number, start: string): string[] {
  const stored = privateNames(userId, START + start).map((name) => name.slice(START.length));
  const unstored = [...refused].map((key) => key.slice(startOf(userId).length));
  return [...new Set([...stored, ...unstored])]
    .filter((place) => place.startsWith(start))
    .map((place) => place.slice(start.length));
}

/** Keeps a draft, or removes it when it no longer differs from its start. */
export function keepDraft(userId: number, place: string, draft: Draft): void {
  const [start, value] = [JSON.stringify(draft.start), JSON.stringify(draft.value)];
  if (start === value) {
    dropDraft(userId, place);
    return;
  }
  const key = keyOf(userId, place);
  const text = `{"start":${start},"value":${value}}`;
  known.set(key, { text, draft });
  store(key, text);
  tellListeners();
}

export function dropDraft(userId: number, place: string): void {
  const key = keyOf(userId, place);
  known.set(key, { text: null, draft: undefined });
  refused.delete(key);
  writeStoredText(key, null);
  tellListeners();
}

/** Whether the browser has refused to store the draft at that place, so that it goes with the page. */
export function isDraftRefused(userId: number, place: string): boolean {
  return refused.has(keyOf(userId, place));
}

/** Whether this page knows of a draft of that user: one that was typed here, or that a form has shown. */
export function hasDrafts(userId: number): boolean {
  const start = startOf(userId);
  return [...known].some(([key, { draft }]) => draft !== undefined && key.startsWith(start));
}

/** Drops what the tabs hold of a user's drafts in memory. Logout has removed what was stored. */
export function forgetDrafts(userId: number): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel?.postMessage(userId);
  forgetHere(startOf(userId));
}

/** @returns a function that removes the listener */
export function onDraftChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}

/** Reads what is stored, unless it is known. */
function takeIn(key: string): boolean {
  const text = readStoredText(key);
  if (known.get(key)?.text === text) return false;
  known.set(key, { text, draft: parse(text) });
  return true;
}

function parse(text: string | null): Draft | undefined {
  if (text === null) return undefined;
  try {
    const draft: unknown = JSON.parse(text);
    return isRecord(draft) && 'start' in draft && 'value' in draft
      ? { start: draft.start, value: draft.value }
      : undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
    refused.delete(key);
  } catch (error) {
    console.warn('the draft cannot be stored', error);
    if (refused.size === 0) {
      showToast('작성하던 내용을 임시 저장하지 못했습니다. 저장하기 전에 창을 닫지 마세요');
    }
    refused.add(key);
  }
}

/** Whether a stored value has the shape of the form's, as far as the model has one. */
export function isLike<Value>(value: unknown, model: Value): value is Value {
  if (!isSameType(value, model)) return false;
  if (!isRecord(model) || Array.isArray(model)) return true;
  return (
    isRecord(value) &&
    Object.entries(model).every(([name, part]) => part === undefined || isSameType(value[name], part))
  );
}

const isSameType = (a: unknown, b: unknown) => typeof a === typeof b && Array.isArray(a) === Array.isArray(b);

function forgetHere(start: string): void {
  for (const key of known.keys()) if (key.startsWith(start)) known.set(key, { text: null, draft: undefined });
  for (const key of refused) if (key.startsWith(start)) refused.delete(key);
  tellListeners();
}

function takeOver({ key }: StorageEvent): void {
  if (key === null) forgetHere('');
  else if (known.has(key) && !refused.has(key)) takeIn(key);
  tellListeners();
}

/** The next user of this page finds nothing of the last one's in memory. */
function forgetOthers(): void {
  const { isLoggedIn, id } = loginState();
  if (!isLoggedIn) return;
  for (const key of known.keys()) if (!key.startsWith(startOf(id))) known.delete(key);
  for (const key of refused) if (!key.startsWith(startOf(id))) refused.delete(key);
}

const channel = typeof window === 'undefined' ? undefined : new BroadcastChannel('drafts');
channel?.addEventListener('message', ({ data }: MessageEvent<number>) => forgetHere(startOf(data)));
if (typeof window !== 'undefined') {
  onLoginChange(forgetOthers);
  addEventListener('storage', takeOver);
  addEventListener('beforeunload', (event) => {
    if (refused.size > 0) event.preventDefault();
  });
}
