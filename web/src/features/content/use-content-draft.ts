import type { Content, ContentState } from '#contract/content';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import type { Difference } from './differences.ts';
import { merge, type Question } from './merge.ts';
import { currentOf, failureText, saveDraft } from './queries.ts';

/** The draft is saved after this pause in typing, in milliseconds. */
const PAUSE_MS = 700;
/** Typing in one field without a pause this long is one undo step. */
const RUN_MS = 3000;

type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

/** Result of merging another user's changes: their values that were not taken, and questions to decide. */
export type MergeLoss = { lost: readonly Difference[]; asked: readonly Question[] };

/** Why the draft could not be saved; `field` is the server's name of the field. */
type Failure = { text: string; field?: string | undefined };

/**
 * The draft, saved while the user types. Another user's draft saved meanwhile is merged, and a note says so.
 * @param start the server's state when the screen opened
 */
export function useContentDraft(start: ContentState) {
  const [draft, setDraft] = useState(start.draft);
  const [saved, setSaved] = useState(start);
  const [saving, setSaving] = useState<Saving>('saved');
  const [met, setMet] = useState<MergeLoss>();
  const [failure, setFailure] = useState<Failure>();
  const [past, setPast] = useState<readonly Content[]>([]);
  const run = useRef({ path: '', at: 0 });
  const isBusy = useRef(false);

  /** Merges the server's current state with the unsaved changes, in every undo step too. */
  const join = useEffectEvent((state: ContentState, isOthers: boolean) => {
    const base = saved.draft;
    setDraft((now) => merge(base, now, state.draft).content);
    setPast((before) => before.map((each) => merge(base, each, state.draft).content));
    setSaved(state);
    if (!isOthers) return;
    const { lost, asked } = merge(base, draft, state.draft);
    setMet((before) => ({ lost, asked: [...(before?.asked ?? []), ...asked] }));
  });

  const save = useEffectEvent(async (draft: Content) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setSaving('saving');
    try {
      // The server may normalise the text; the form keeps it as it was typed.
      setSaved({ ...(await saveDraft(saved.version, draft)), draft });
      setSaving('saved');
      setFailure(undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        setSaving('failed');
        throw error;
      }
      const current = currentOf(error);
      if (current) join(current, true);
      else setFailure({ text: failureText(error), field: error.details?.field });
      setSaving(current ? 'waiting' : 'failed');
    } finally {
      isBusy.current = false;
    }
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved.draft);
  useEffect(() => {
    if (!isChanged || saving === 'saving') return undefined;
    const timer = setTimeout(() => void save(draft), saving === 'failed' ? 10 * PAUSE_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, isChanged, saving]);

  return {
    draft,
    saved,
    saving: isChanged && saving === 'saved' ? ('waiting' as const) : saving,
    isChanged,
    met,
    setMet,
    failure: isChanged ? failure : undefined,
    /** @param isOthers whether the server's state contains other users' changes */
    join,
    /**
     * @param edit receives the current draft: an upload may have finished later
     * @param path of the typed text: typing in the same field is merged into one undo step
     */
    change: (edit: (before: Content) => Content, path = '') => {
      const at = Date.now();
      const isOneRun = path !== '' && path === run.current.path && at - run.current.at < RUN_MS;
      run.current = { path, at };
      if (!isOneRun) setPast((before) => [...before.slice(-99), draft]);
      setDraft(edit);
    },
    undo:
      past.length === 0
        ? undefined
        : () => {
            run.current = { path: '', at: 0 };
            setDraft(past.at(-1) ?? draft);
            setPast(past.slice(0, -1));
          },
  };
}
