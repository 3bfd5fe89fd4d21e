import type { Content, ContentState } from '#contract/content';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { saveDraft } from './queries.ts';
import { unmergedDifferences, mergedValues, type Difference } from './value.ts';

/** How long nothing is typed before the draft is saved. */
const PAUSE_MS = 700;

type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

/**
 * The draft, saved as it is typed. When somebody else has saved another one, both are put together and that is said.
 * @param start what the server had when the screen opened
 */
export function useContentDraft(start: ContentState) {
  const [draft, setDraft] = useState(start.draft);
  const [saved, setSaved] = useState(start);
  const [saving, setSaving] = useState<Saving>('saved');
  /** Once others' changes came in: those of them for which this editor's stand. */
  const [lost, setLost] = useState<readonly Difference[]>();
  const [failure, setFailure] = useState<string>();
  const [past, setPast] = useState<readonly Content[]>([]);
  const isBusy = useRef(false);

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
      const current = error instanceof ApiError && error.status === 409 ? stateIn(error) : undefined;
      if (current) {
        const base = saved.draft;
        setDraft((now) => mergedValues(base, now, current.draft));
        setLost(unmergedDifferences(base, current.draft, mergedValues(base, draft, current.draft)));
        setSaved(current);
        setSaving('waiting');
      } else {
        setSaving('failed');
        if (!(error instanceof ApiError)) throw error;
        setFailure(error.message);
      }
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
    lost,
    /** Why the draft could not be saved, as the server says it. */
    failure,
    /** Replaces what the server has, after something was published or brought back. */
    take: (state: ContentState) => {
      setSaved(state);
      setDraft(state.draft);
    },
    forgetLost: () => setLost(undefined),
    /** @param edit gets the draft as it is then: an upload may have taken its time */
    change: (edit: (before: Content) => Content) => {
      setPast((before) => [...before.slice(-99), draft]);
      setDraft(edit);
    },
    undo:
      past.length === 0
        ? undefined
        : () => {
            setDraft(past.at(-1) ?? draft);
            setPast(past.slice(0, -1));
          },
  };
}

function stateIn({ details }: ApiError): ContentState | undefined {
  const current: unknown = details?.current;
  const isState = typeof current === 'object' && current !== null && 'draft' in current;
  // The API answers with its own state.
  return isState ? JSON.parse(JSON.stringify(current)) : undefined;
}
