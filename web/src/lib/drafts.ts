import {
  isDraftName,
  loadDraftEncryption,
  storedDrafts,
  type Draft,
  type DraftEncryption,
  type StoredDraft,
} from './draft-encryption.ts';
import { isRecord } from './is-record.ts';
import { loginState, onLoginChange } from './login-state.ts';
import { readStoredText, writeStoredText } from './stored-text.ts';
import { showToast } from './toast-queue.ts';

/*
 * Unsaved input of a user, by place (`courses/12`). A place has one draft, which all tabs of the user show. A
 * draft stays, encrypted, when the session ends; it is removed when it is saved or discarded, on logout, or
 * seven days after its last change. No other module stores unsaved input.
 * docs/decisions/0032-office-work.md
 */

export type { Draft } from './draft-encryption.ts';

type Entry = {
  userId: number;
  place: string;
  /** Undefined while the draft's user is signed out. */
  draft: Draft | undefined;
  /** The encrypted draft in the browser's storage. */
  stored: StoredDraft | undefined;
  /** Whether the draft was typed on this page, or a form has shown it. */
  isShown: boolean;
  isBeingStored: boolean;
  /** Whether the browser refused to store the draft: it is lost with the page. */
  isRefused: boolean;
  /** Whether another tab wrote the draft last. */
  isOfOtherTab: boolean;
};

const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();
/** The user whose encryption key this page has or is requesting. */
let unlocked: { userId: number; seal: Promise<DraftEncryption> } | undefined;
/** The user whose stored drafts have been loaded, or could not be loaded. */
let openFor: number | undefined;

const keyOf = (userId: number, place: string) => `${userId}/${place}`;
const entriesOf = (userId: number) => [...entries.values()].filter((entry) => entry.userId === userId);

/** Whether the user's stored drafts are loaded. A form that renders before this would start empty. */
export const areDraftsLoaded = (userId: number) => openFor === userId;

/**
 * Resolves when the drafts are loaded, or when they cannot be loaded and input would be lost with the page.
 * Without stored drafts, the key is requested only when a form appears.
 */
export async function loadDrafts(userId: number): Promise<void> {
  if (areDraftsLoaded(userId)) return;
  if (storedDrafts(userId).length > 0) await loadDraftKey(userId);
  else {
    openFor = userId;
    tellListeners();
  }
}

/** Requests the key before anything is typed: later the session may have ended or the network may fail. */
export async function loadDraftKey(userId: number): Promise<void> {
  await sealFor(userId).catch(() => undefined);
}

export function draftAt(userId: number, place: string): Draft | undefined {
  const entry = entries.get(keyOf(userId, place));
  if (entry?.draft) entry.isShown = true;
  return entry?.draft;
}

/** Whether another tab wrote a newer draft at the place than `seen`, which this page read or wrote last. */
export function isDraftOfOthers(userId: number, place: string, seen: Draft | undefined): boolean {
  const entry = entries.get(keyOf(userId, place));
  // The storage event for the other tab's draft may not have arrived yet.
  const isOutdated =
    entry?.stored !== undefined &&
    !entry.isBeingStored &&
    !entry.isRefused &&
    readStoredText(entry.stored.name) !== entry.stored.text;
  return isOutdated || draftAt(userId, place) !== seen;
}

/** The places of the user's drafts that begin with `start`, with this prefix removed. */
export function draftPlacesUnder(userId: number, start: string): string[] {
  return entriesOf(userId).flatMap(({ place, draft }) =>
    draft && place.startsWith(start) ? [place.slice(start.length)] : [],
  );
}

/** Stores a draft, or removes it if it no longer differs from its start. */
export function storeDraft(userId: number, place: string, draft: Draft): void {
  if (JSON.stringify(draft.start) === JSON.stringify(draft.value)) {
    dropDraft(userId, place);
    return;
  }
  const before = entries.get(keyOf(userId, place));
  const entry = before ?? { userId, place, stored: undefined, isBeingStored: false, isRefused: false };
  const kept = Object.assign(entry, { draft, isShown: true, isOfOtherTab: false });
  entries.set(keyOf(userId, place), kept);
  if (!kept.isBeingStored) void store(kept);
  tellListeners();
}

export function dropDraft(userId: number, place: string): void {
  const entry = entries.get(keyOf(userId, place));
  if (!entry) return;
  forget(entry);
  if (entry.stored) writeStoredText(entry.stored.name, null);
  tellListeners();
}

/** Whether the browser refused to store the draft at `place`, so that the draft is lost with the page. */
export function isDraftRefused(userId: number, place: string): boolean {
  return entries.get(keyOf(userId, place))?.isRefused === true;
}

/** Whether another tab changed the draft at `place` after this tab's last change. */
export function isDraftOfOtherTab(userId: number, place: string): boolean {
  return entries.get(keyOf(userId, place))?.isOfOtherTab === true;
}

/** Whether the user has seen or typed a draft on this page. */
export function hasDrafts(userId: number): boolean {
  return entriesOf(userId).some(({ isShown }) => isShown);
}

/** Removes a user's drafts from the memory of all tabs. Logout has already removed the stored ones. */
export function forgetDrafts(userId: number): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel?.postMessage(userId);
  forgetAll(entriesOf(userId));
}

/** @returns a function that removes the listener */
export function onDraftChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}

/** Whether a stored value has the shape of the model. Parts that the model does not have are not checked. */
export function hasShapeOf<Value>(value: unknown, model: Value): value is Value {
  if (!isSameType(value, model)) return false;
  if (!isRecord(model) || Array.isArray(model)) return true;
  return (
    isRecord(value) &&
    Object.entries(model).every(([name, part]) => part === undefined || isSameType(value[name], part))
  );
}

const isSameType = (a: unknown, b: unknown) => typeof a === typeof b && Array.isArray(a) === Array.isArray(b);

/** Resolves to the user's key after the stored drafts are read. If this fails, the next call tries again. */
function sealFor(userId: number): Promise<DraftEncryption> {
  if (unlocked?.userId === userId) return unlocked.seal;
  const asked = { userId, seal: readStored(userId) };
  unlocked = asked;
  const opened = () => {
    if (unlocked !== asked) return;
    openFor = userId;
    tellListeners();
  };
  void asked.seal.then(opened, (error: unknown) => {
    console.warn('stored drafts cannot be opened', error);
    opened();
    if (unlocked === asked) unlocked = undefined;
  });
  return asked.seal;
}

async function readStored(userId: number): Promise<DraftEncryption> {
  const seal = await loadDraftEncryption(userId);
  for (const stored of storedDrafts(userId)) await takeIn(userId, seal, stored, false);
  return seal;
}

/** Decrypts a stored draft. A newer draft, which the user has typed on this page meanwhile, stays. */
async function takeIn(
  userId: number,
  seal: DraftEncryption,
  stored: StoredDraft,
  isOfOtherTab: boolean,
): Promise<void> {
  const opened = await seal.open(stored);
  if (!opened || unlocked?.userId !== userId || readStoredText(stored.name) !== stored.text) return;
  const { place, draft } = opened;
  const before = entries.get(keyOf(userId, place));
  if (before?.isBeingStored === true || before?.isRefused === true) return;
  const isShown = before?.isShown ?? false;
  const isOther = isOfOtherTab && JSON.stringify(before?.draft) !== JSON.stringify(draft);
  const flags = { isShown, isBeingStored: false, isRefused: false, isOfOtherTab: isOther };
  entries.set(keyOf(userId, place), { userId, place, draft, stored, ...flags });
}

/** Encrypts and stores a draft, and again if it has changed in the meantime. */
async function store(entry: Entry): Promise<void> {
  const isCurrent = () => entries.get(keyOf(entry.userId, entry.place)) === entry;
  entry.isBeingStored = true;
  try {
    const { seal } = await sealFor(entry.userId);
    for (let done: Draft | undefined; isCurrent() && entry.draft && done !== entry.draft;) {
      done = entry.draft;
      const stored = await seal(entry.place, done);
      if (!isCurrent()) return;
      localStorage.setItem(stored.name, stored.text);
      entry.stored = stored;
    }
    entry.isRefused = false;
  } catch (error) {
    if (!isCurrent()) return;
    console.warn('the draft cannot be stored', error);
    if (![...entries.values()].some(({ isRefused }) => isRefused)) {
      showToast('작성하던 내용을 임시 저장하지 못했습니다. 저장하기 전에 창을 닫지 마세요');
    }
    entry.isRefused = true;
  } finally {
    entry.isBeingStored = false;
  }
  if (unlocked?.userId !== entry.userId) lock(entry);
  tellListeners();
}

/** After the session has ended, a stored draft must not stay readable in memory. */
function lock(entry: Entry): void {
  if (!entry.isBeingStored && !entry.isRefused) entry.draft = undefined;
}

const forget = ({ userId, place }: Entry) => entries.delete(keyOf(userId, place));

function forgetAll(gone: readonly Entry[]): void {
  for (const entry of gone) forget(entry);
  tellListeners();
}

/** Applies a draft that another tab has stored or removed. */
async function takeOver({ key: name, newValue: text }: StorageEvent): Promise<void> {
  const { id } = loginState();
  if (text !== null && name !== null && openFor === id && isDraftName(id, name))
    await takeIn(id, await sealFor(id), { name, text }, true);
  else if (text === null)
    for (const entry of entries.values())
      if (name === null || (entry.stored?.name === name && !entry.isBeingStored)) forget(entry);
  tellListeners();
}

/** On a sign-in, removes other users' drafts from memory and loads the user's own. */
function followLogin(): void {
  const { isLoggedIn, id } = loginState();
  if (isLoggedIn) {
    forgetAll([...entries.values()].filter(({ userId }) => userId !== id));
    // Runs after all listeners, because live-session.ts drops responses to requests of the previous user.
    queueMicrotask(() => void loadDrafts(id));
  } else {
    unlocked = undefined;
    openFor = undefined;
    for (const entry of entries.values()) lock(entry);
  }
}

const channel = typeof window === 'undefined' ? undefined : new BroadcastChannel('drafts');
channel?.addEventListener('message', ({ data }: MessageEvent<number>) => forgetAll(entriesOf(data)));
if (typeof window !== 'undefined') {
  onLoginChange(followLogin);
  addEventListener('storage', (event) => void takeOver(event));
  addEventListener('beforeunload', (event) => {
    if ([...entries.values()].some(({ isRefused }) => isRefused)) event.preventDefault();
  });
}
