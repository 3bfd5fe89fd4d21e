import { useCallback, useState, useSyncExternalStore } from 'react';
import { draftAt, dropDraft, isDraftRefused, keepDraft, onDraftChange, type Draft } from '../lib/drafts.ts';
import { isRecord } from '../lib/is-record.ts';
import { loginState } from '../lib/login-state.ts';

/** What `DraftNote` needs. */
export type Restored = {
  isRestored: boolean;
  /** The browser stores nothing more: it goes with the page. */
  isRefused: boolean;
  onDiscard: () => void;
};

/**
 * A value kept as a draft at `place` from its first change until it is saved, discarded, or changed back. Without a
 * place it lives as long as the component. A component whose place changes needs the place as its key.
 */
export function useKept<Value>(place: string | undefined, start: () => Value) {
  const [userId] = useState(() => loginState().id);
  const [first, setFirst] = useState(start);
  const [unkept, setUnkept] = useState<Draft>();
  /** Whether the draft began in this component, so that nothing was restored. */
  const [isOwn, setOwn] = useState(false);
  const stored = useSyncExternalStore(onDraftChange, () =>
    place === undefined ? undefined : draftAt(userId, place),
  );
  const isRefused = useSyncExternalStore(
    onDraftChange,
    () => place !== undefined && isDraftRefused(userId, place),
  );
  const draft = likeFirst(place === undefined ? unkept : stored, first);

  /** The values at the time of a change, which may be later than the last render. */
  const latest = useCallback(
    (now: Draft | undefined) => likeFirst(now, first) ?? { start: first, value: first },
    [first],
  );
  const put = useCallback(
    (step: (now: { start: Value; value: Value }) => Draft) => {
      if (place === undefined) setUnkept((now) => step(latest(now)));
      else {
        const now = draftAt(userId, place);
        if (!likeFirst(now, first)) setOwn(true);
        keepDraft(userId, place, step(latest(now)));
      }
    },
    [userId, place, first, latest],
  );
  const drop = () => {
    setOwn(false);
    setUnkept(undefined);
    if (place !== undefined) dropDraft(userId, place);
  };
  const restored: Restored = {
    isRestored: place !== undefined && draft !== undefined && !isOwn,
    isRefused,
    onDiscard: drop,
  };
  return {
    value: draft ? draft.value : first,
    /** What the value began as, also when it was restored. */
    base: draft ? draft.start : first,
    change: useCallback(
      (next: (before: Value) => Value) =>
        put(({ start: base, value }) => ({ start: base, value: next(value) })),
      [put],
    ),
    /** Starts over with another value, with nothing to keep. */
    restart: (next: Value) => {
      setFirst(next);
      drop();
    },
    /** Goes on with a value that now differs from another start. */
    rebase: (base: Value, value: Value) => {
      setFirst(base);
      put(() => ({ start: base, value }));
    },
    /** To be called when `sent` has been saved, even if the component is gone. Later changes stay. */
    saved: (sent: Value) => {
      const now = place === undefined ? unkept : draftAt(userId, place);
      if (JSON.stringify(latest(now).value) !== JSON.stringify(sent)) return;
      setFirst(sent);
      drop();
    },
    restored,
  };
}

/** A pasted or typed text, kept at `place`. */
export function useKeptText(place: string) {
  const { value, change, restart, restored } = useKept(place, () => '');
  return {
    text: value,
    setText: (text: string) => change(() => text),
    /** Empties the field: what was typed has been saved. */
    clear: () => restart(''),
    restored,
  };
}

/** Undefined for a draft in another shape than the form has in this version. */
function likeFirst<Value>(
  draft: Draft | undefined,
  first: Value,
): { start: Value; value: Value } | undefined {
  if (!draft) return undefined;
  const { start, value } = draft;
  return isLike(start, first) && isLike(value, first) ? { start, value } : undefined;
}

/** Whether a stored value has the shape of the form's. */
export function isLike<Value>(value: unknown, model: Value): value is Value {
  if (!isSameType(value, model)) return false;
  if (!isRecord(model) || Array.isArray(model)) return true;
  return isRecord(value) && Object.entries(model).every(([name, part]) => isSameType(value[name], part));
}

const isSameType = (a: unknown, b: unknown) => typeof a === typeof b && Array.isArray(a) === Array.isArray(b);
