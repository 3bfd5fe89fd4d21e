import type { Content, ContentState } from '#contract/content';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import type { Difference } from './differences.ts';
import { merge, type Question } from './merge.ts';
import { currentOf, failureText, saveDraft } from './queries.ts';

/** How long nothing is typed before the draft is saved. */
const PAUSE_MS = 700;
/** What is typed into one field without such a pause is one step for the way back. */
const RUN_MS = 3000;

type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

/** What came in from others: those of their values for which one's own stand, and what is to be decided. */
export type Met = { lost: readonly Difference[]; asked: readonly Question[] };

/** Why the draft could not be saved; `field` as the server calls it. */
type Failure = { text: string; field?: string | undefined };

/**
 * The draft, saved as it is typed. When somebody else has saved another one, both are put together and that is said.
 * @param start what the server had when the screen opened
 */
export function useContentDraft(start: ContentState) {
  const [draft, setDraft] = useState(start.draft);
  const [saved, setSaved] = useState(start);
  const [saving, setSaving] = useState<Saving>('saved');
  const [met, setMet] = useState<Met>();
  const [failure, setFailure] = useState<Failure>();
  const [past, setPast] = useState<readonly Content[]>([]);
  const run = useRef({ path: '', at: 0 });
  const isBusy = useRef(false);

  /** Puts what the server has now together with what was typed since, in every step back too. */
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
      // The server has its own spelling of what was typed; here it stays as it is.
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
    /** @param isOthers the server has what others have stored */
    join,
    /**
     * @param edit gets the draft as it is then: an upload may have taken its time
     * @param path of the text that is typed: until the next field it is one step for the way back
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
