import { useCallback, useEffect, useRef, useState, useSyncExternalStore, type FormEvent } from 'react';
import {
  draftAt,
  dropDraft,
  isDraftOfOtherTab,
  isDraftRefused,
  loadDraftKey,
  hasShapeOf,
  storeDraft,
  onDraftChange,
  type Draft as Stored,
} from '../lib/drafts.ts';
import { loginState } from '../lib/login-state.ts';
import { DRAFT_SAVED, withdrawToast } from '../lib/toast-queue.ts';

/** Names of the fields that are edited as text. */
type TextFields<Draft> = {
  [Name in keyof Draft & string]: Draft[Name] extends string ? Name : never;
}[keyof Draft & string];

type Form<Draft> = {
  /** Where the draft is stored: `courses/12`. A filter has no place. See `useAutosaved`. */
  place?: string;
  start: () => Draft;
  problemsOf: (draft: Draft) => { [field: string]: string | undefined };
  /** Saves a draft that has no errors. When the promise resolves, the stored draft is removed. */
  send: (draft: Draft) => Promise<unknown> | undefined;
  /** Called when the draft has been saved, unless the form is no longer rendered. */
  onSaved?: (draft: Draft) => void;
  /** Whether a submission is pending; until the submission has ended, nothing else is sent. */
  isPending?: boolean;
};

/** State of a form. The first attempt to submit shows the errors and moves the focus to the first error. */
export function useDraft<Draft extends object>({
  place,
  start,
  problemsOf,
  send,
  onSaved,
  isPending = false,
}: Form<Draft>) {
  const { value: draft, base, change, restart, rebase, saved, restored } = useAutosaved(place, start);
  const [areShown, setShown] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const problems = problemsOf(draft);
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  const finish = async (each: Draft, sending: Promise<unknown>) => {
    try {
      await sending;
    } catch {
      // The global error handler reports the failure.
      return;
    }
    saved(each);
    if (isThere.current) onSaved?.(each);
  };
  const submit = (each: Draft) => {
    if (isPending) return;
    const [first] = Object.keys(problemsOf(each));
    setShown(first !== undefined);
    if (first !== undefined) {
      focus(first);
      return;
    }
    const sending = send(each);
    if (sending) void finish(each, sending);
  };
  return {
    draft,
    /** The draft's initial value. */
    base,
    change: (part: Partial<Draft>) => change((before) => ({ ...before, ...part })),
    /** Starts over with another draft, whose errors are not shown yet. */
    restart: (next: Draft) => {
      restart(next);
      setShown(false);
    },
    /** Continues with a draft made from a newer base, and sends it. */
    resend: (nextBase: Draft, next: Draft) => {
      rebase(nextBase, next);
      submit(next);
    },
    problems,
    areShown,
    focus,
    /** Props for `DraftNote`. */
    restored: {
      ...restored,
      onDiscard: () => {
        restored.onDiscard();
        setShown(false);
      },
    },
    form: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        submit(draft);
      },
    },
    /** Props of the input with this name. */
    field: (name: TextFields<Draft>) => ({
      name,
      value: String(draft[name]),
      error: areShown ? problems[name] : undefined,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        change((before) => ({ ...before, [name]: target.value })),
    }),
  };
}

export type RestoredDraft = {
  isRestored: boolean;
  /** Whether another tab wrote the draft last: two forms with the same place share one draft. */
  isOfOtherTab: boolean;
  /** Whether the browser could not store the draft, which is then lost when the page closes. */
  isRefused: boolean;
  onDiscard: () => void;
};

/**
 * A value that is stored as a draft at `place` from its first change until it is saved, discarded or changed
 * back. Without a place, the value lives as long as the component. If the place can change, it must also be
 * the component's key.
 */
export function useAutosaved<Value>(place: string | undefined, start: () => Value) {
  const [userId] = useState(() => loginState().id);
  const [first, setFirst] = useState(start);
  const [unkept, setUnkept] = useState<Stored>();
  /** Whether the draft began in this component, so that no stored draft was restored. */
  const [isOwn, setOwn] = useState(false);
  const stored = useSyncExternalStore(onDraftChange, () =>
    place === undefined ? undefined : draftAt(userId, place),
  );
  const isRefused = useSyncExternalStore(
    onDraftChange,
    () => place !== undefined && isDraftRefused(userId, place),
  );
  const isOfOtherTab = useSyncExternalStore(
    onDraftChange,
    () => place !== undefined && isDraftOfOtherTab(userId, place),
  );
  const draft = likeFirst(place === undefined ? unkept : stored, first);
  const isStored = place !== undefined;
  useEffect(() => {
    if (isStored) void loadDraftKey(userId);
  }, [isStored, userId]);

  /** Returns the values at the time of a change, which may be newer than the values of the last render. */
  const latest = useCallback(
    (now: Stored | undefined) => likeFirst(now, first) ?? { start: first, value: first },
    [first],
  );
  const put = useCallback(
    (step: (now: { start: Value; value: Value }) => Stored) => {
      if (place === undefined) setUnkept((now) => step(latest(now)));
      else {
        const now = draftAt(userId, place);
        if (!likeFirst(now, first)) setOwn(true);
        storeDraft(userId, place, step(latest(now)));
      }
    },
    [userId, place, first, latest],
  );
  const drop = () => {
    setOwn(false);
    setUnkept(undefined);
    if (place === undefined) return;
    dropDraft(userId, place);
    withdrawToast(DRAFT_SAVED);
  };
  const restored: RestoredDraft = {
    isRestored: place !== undefined && draft !== undefined && (!isOwn || isOfOtherTab),
    isOfOtherTab,
    isRefused,
    onDiscard: drop,
  };
  return {
    value: draft ? draft.value : first,
    /** The initial value, also for a restored draft. */
    base: draft ? draft.start : first,
    change: useCallback(
      (next: (before: Value) => Value) =>
        put(({ start: base, value }) => ({ start: base, value: next(value) })),
      [put],
    ),
    /** Starts over with another value and removes the draft. */
    restart: (next: Value) => {
      setFirst(next);
      drop();
    },
    /** Continues with another value and another initial value (`base`) to compare it with. */
    rebase: (base: Value, value: Value) => {
      setFirst(base);
      put(() => ({ start: base, value }));
    },
    /** Call when `sent` has been saved, even if React has removed the component. Later changes stay a draft. */
    saved: (sent: Value) => {
      const now = place === undefined ? unkept : draftAt(userId, place);
      if (JSON.stringify(latest(now).value) !== JSON.stringify(sent)) return;
      setFirst(sent);
      drop();
    },
    restored,
  };
}

/** A pasted or typed text, stored as a draft at `place`. */
export function useAutosavedText(place: string) {
  const { value, change, restart, restored } = useAutosaved(place, () => '');
  return {
    text: value,
    setText: (text: string) => change(() => text),
    /** Empties the field after the text has been saved. */
    clear: () => restart(''),
    restored,
  };
}

/** Undefined if the draft's shape differs from the form's shape in this version. */
function likeFirst<Value>(
  draft: Stored | undefined,
  first: Value,
): { start: Value; value: Value } | undefined {
  if (!draft) return undefined;
  const { start, value } = draft;
  return hasShapeOf(start, first) && hasShapeOf(value, first) ? { start, value } : undefined;
}
