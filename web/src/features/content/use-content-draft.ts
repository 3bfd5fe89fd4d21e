import type { Content, ContentState } from '#contract/content';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { findDifferences, type Difference } from './differences.ts';
import { flattenContent } from './entries.ts';
import { mergeContent, type MergeQuestion } from './merge.ts';
import { currentContentOf, contentFailureText, saveContentDraft } from './queries.ts';
import { valueAt } from './value-at-path.ts';

/** The draft is saved when the user has not typed for this many milliseconds. */
const PAUSE_MS = 700;
/** Changes of one field are one undo step if less than this many milliseconds pass between two changes. */
const RUN_MS = 3000;

type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

/** Result of a merge: another user's applied changes (`taken`), dropped changes (`lost`), and questions. */
export type MergeReport = {
  taken: readonly Difference[];
  lost: readonly Difference[];
  asked: readonly MergeQuestion[];
  /** My draft before the merge, which still has the names of deleted entries. */
  before: Content;
};

/** Why this draft could not be saved; `field` is the server's name of the field with the error. */
type Failure = { draft: Content; text: string; field?: string | undefined };

/**
 * Holds the draft and saves it while the user types. Merges and reports a draft that another user has saved.
 * @param start the server's state when the screen opened
 */
export function useContentDraft(start: ContentState) {
  const [draft, setDraft] = useState(start.draft);
  const [saved, setSaved] = useState(start);
  const [saving, setSaving] = useState<Saving>('saved');
  const [told, setMet] = useState<MergeReport>();
  const [failure, setFailure] = useState<Failure>();
  const [past, setPast] = useState<readonly Content[]>([]);
  const run = useRef({ path: '', at: 0 });
  const isBusy = useRef(false);

  /** Merges the server's current state into the unsaved draft, and into the draft of every undo step. */
  const join = useEffectEvent((state: ContentState, isOthers: boolean) => {
    const base = saved.draft;
    setDraft((now) => mergeContent(base, now, state.draft).content);
    setPast((before) => before.map((each) => mergeContent(base, each, state.draft).content));
    setSaved(state);
    if (!isOthers) return;
    const { content, lost, asked } = mergeContent(base, draft, state.draft);
    const taken = findDifferences(draft, content);
    if (taken.length + asked.length > 0) showToast('위에서 다른 사람의 변경을 확인하세요');
    setMet((before) => ({
      before: draft,
      taken: byPath([...(before?.taken ?? []), ...taken]),
      lost: byPath([...(before?.lost ?? []), ...lost]),
      asked: byPath([...(before?.asked ?? []), ...asked]),
    }));
  });

  const save = useEffectEvent(async (draft: Content) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setSaving('saving');
    try {
      // The server may normalise the text; the form keeps it as it was typed.
      setSaved({ ...(await saveContentDraft(saved.version, draft)), draft });
      setSaving('saved');
      setFailure(undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        setSaving('failed');
        throw error;
      }
      const current = currentContentOf(error);
      if (current) join(current, true);
      else setFailure({ draft, text: contentFailureText(error), field: error.details?.field });
      setSaving(current ? 'waiting' : 'failed');
    } finally {
      isBusy.current = false;
    }
  });
  // An undo or a restored version may have removed the entry that a question is about.
  const isThere = ({ path }: MergeQuestion) => valueAt(flattenContent(draft), path.split('.')) !== undefined;
  const met = told && { ...told, asked: told.asked.filter(isThere) };
  const refused = failure?.field === undefined ? undefined : failure.draft;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved.draft);
  useEffect(() => {
    // A draft that the server has rejected is sent again only after a change.
    if (!isChanged || saving === 'saving' || refused === draft) return undefined;
    const isLater = saving === 'failed' && !refused;
    const timer = setTimeout(() => void save(draft), isLater ? 10 * PAUSE_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, isChanged, saving, refused]);

  return {
    draft,
    saved,
    saving: isChanged && saving === 'saved' ? ('waiting' as const) : saving,
    isChanged,
    met: met && met.taken.length + met.lost.length + met.asked.length > 0 ? met : undefined,
    setMet,
    failure: isChanged && (!refused || refused === draft) ? failure : undefined,
    /** @param isOthers whether the server's state contains other users' changes */
    join,
    /** Shows a draft that the server has stored. An undo returns to the previous draft. */
    replace: (state: ContentState) => {
      setPast((before) => [...before.slice(-99), draft]);
      setDraft(state.draft);
      setSaved(state);
    },
    /**
     * @param edit receives the current draft, because the draft may have changed during an upload
     * @param path the text field's path; typing in the same field is one undo step
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

/** Keeps only the last item of each path. */
const byPath = <Item extends { path: string }>(all: readonly Item[]) => [
  ...new Map(all.map((each) => [each.path, each])).values(),
];
