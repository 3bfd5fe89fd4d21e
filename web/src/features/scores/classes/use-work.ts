import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import {
  draftAt,
  dropDraft,
  isDraftOfOthers,
  isDraftOfOtherTab,
  isDraftRefused,
  loadDraftKey,
  storeDraft,
  onDraftChange,
} from '../../../lib/drafts.ts';
import { addStep, redoStep, startHistory, stateBefore, undoStep } from '../../../lib/history.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { isSameClass } from '../paste/earlier-decisions.ts';
import type { ChangeWork, Work } from '../work.ts';
import {
  draftOfWork,
  emptyWork,
  defaultClassName,
  savedClassNames,
  readOpenClassName,
  draftPlace,
  storeOpenClassName,
  workFromDraft,
  type SavedState,
  type SavedActions,
  type NamedClass,
  type ClassDraft,
} from './saved-classes.ts';

/** Merge keys of steps that move a cut-off or a floor. */
const MOVES = /^(cutoff|floor) /;
/** Names of the undo steps that move cut-offs and floors. */
const MOVE_NAMES = /^(컷|최저 점수 기준|학점 직접 지정|직접 지정 풀기)/;
/** The class is stored when no cut-off or floor has moved for this many milliseconds. */
const REST = 250;

/** The work in progress, its undo history and its storage in this browser. */
export function useScoresWork() {
  const { id: userId } = useLoginState();
  const [start] = useState(() => keptAt(userId, readOpenClassName(userId)));
  const [history, setHistory] = useState(() =>
    startHistory(start?.work ?? workFromDraft(draftAt(userId, draftPlace(undefined))) ?? emptyWork(userId)),
  );
  const work = history.present;
  useEffect(() => void loadDraftKey(userId), [userId]);
  const open = useCallback((opened: Work) => setHistory(startHistory(opened)), []);
  const isDragged = MOVES.test(history.mergeKey ?? '');
  const { kept, keeping } = useKeeping({ userId, start, work, isDragged, open });

  const change = useCallback<ChangeWork>((name, update, mergeKey) => {
    setHistory((before) => addStep(before, update(before.present), name, mergeKey));
  }, []);
  const undo = useCallback(() => setHistory(undoStep), []);
  const redo = useCallback(() => setHistory(redoStep), []);

  /** Removes the table and its history, here and from storage; the chosen class stays chosen. */
  const wipe = () => {
    if (kept.name !== undefined && !kept.isElsewhere) keeping.forget(kept.name);
    else keeping.leave();
    open({ ...emptyWork(userId), roster: work.roster });
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if ((key !== 'z' && !isRedo) || isTextField(event.target)) return;
      event.preventDefault();
      if (isRedo) redo();
      else undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [undo, redo]);

  return {
    work,
    change,
    undo,
    redo,
    /** Whether the newest step is unfinished: a cut-off is moving, or a number is being typed. */
    isUnderway: history.mergeKey !== undefined,
    /** The work before the user last moved cut-offs or set grades by hand; undefined after any other step. */
    unmoved: history.future.length === 0 ? stateBefore(history, MOVE_NAMES) : undefined,
    /** Name of the step to undo or redo. */
    undoName: history.past.at(-1)?.name,
    redoName: history.future[0]?.name,
    kept,
    keeping,
    wipe,
  };
}

/** Whether the element is a text field, where the browser's undo works. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches('textarea, input:not([type=checkbox], [type=radio], [type=range])')
  );
}

function keptAt(userId: number, name: string | undefined): NamedClass | undefined {
  if (name === undefined) return undefined;
  const draft = draftAt(userId, draftPlace(name));
  const work = workFromDraft(draft);
  return draft && work && { name, draft, work };
}

type Options = {
  userId: number;
  start: NamedClass | undefined;
  work: Work;
  /** Storing a large class takes longer than a frame, so nothing is stored while a cut-off is dragged. */
  isDragged: boolean;
  open: (work: Work) => void;
};

/** Stores the work in progress as a draft, under the class's name if the user has chosen to keep it. */
function useKeeping({ userId, start, work, isDragged, open }: Options): {
  kept: SavedState;
  keeping: SavedActions;
} {
  const [{ name, left }, setState] = useState<Pick<SavedState, 'name' | 'left'>>({
    name: start?.name,
    left: undefined,
  });
  const seen = useRef<ClassDraft | undefined>(start);
  /** The pasted text that was last compared with the previous class. */
  const compared = useRef('');
  // React renders forever if a snapshot is a new array each time, so the names are joined into one string.
  const names = useSyncExternalStore(onDraftChange, () => savedClassNames(userId).join('\n'))
    .split('\n')
    .filter((each) => each !== '');
  const isElsewhere = useSyncExternalStore(
    onDraftChange,
    () => name !== undefined && draftAt(userId, draftPlace(name)) !== seen.current?.draft,
  );

  // All tabs store their class without a name in the same place.
  const isSharedPlace = useSyncExternalStore(
    onDraftChange,
    () => name === undefined && isDraftOfOtherTab(userId, draftPlace(name)),
  );

  const isRefused = useSyncExternalStore(
    onDraftChange,
    () => name !== undefined && isDraftRefused(userId, draftPlace(name)),
  );

  const setPlace = useCallback(
    (next: string | undefined, found?: ClassDraft, nextLeft?: NamedClass) => {
      if (next !== undefined) dropDraft(userId, draftPlace(undefined));
      seen.current = found;
      storeOpenClassName(userId, next);
      setState({ name: next, left: nextLeft });
    },
    [userId],
  );

  useEffect(() => {
    // If the browser refuses to store the class, the screen must not claim that it is stored.
    if (name !== undefined && isRefused) {
      dropDraft(userId, draftPlace(name));
      queueMicrotask(() => setPlace(undefined));
      return undefined;
    }
    // An emptied text field is not stored over the named class: the user probably pastes the next class.
    if (name !== undefined && (isElsewhere || work.text === '')) return undefined;
    const last = seen.current;
    if (name !== undefined && last && last.work.text !== work.text && !isSameClass(last.work, work)) {
      compared.current = work.text;
      queueMicrotask(() => setPlace(undefined, undefined, { ...last, name }));
      return undefined;
    }
    if (name === undefined && left && work.text !== '' && compared.current !== work.text) {
      compared.current = work.text;
      // The user has undone the paste, or has pasted the previous class again.
      if (isSameClass(left.work, work)) {
        queueMicrotask(() => setPlace(left.name, left));
        return undefined;
      }
    }
    const place = draftPlace(name);
    const store = () => {
      const draft = draftOfWork(work);
      if (name !== undefined) {
        if (isDraftOfOthers(userId, place, seen.current?.draft)) return;
        seen.current = { draft, work };
      }
      storeDraft(userId, place, draft);
    };
    if (!isDragged) {
      store();
      return undefined;
    }
    const timer = setTimeout(store, REST);
    return () => clearTimeout(timer);
  }, [userId, name, isElsewhere, isRefused, left, work, isDragged, setPlace]);

  const keeping: SavedActions = {
    keepAs: (next = defaultClassName(work, names)) => setPlace(next),
    keepOn: () => {
      if (left) setPlace(left.name, { draft: left.draft, work });
    },
    rename: (next: string) => {
      if (next === name) return true;
      if (name === undefined || names.includes(next)) return false;
      if (!isElsewhere) dropDraft(userId, draftPlace(name));
      setPlace(next);
      return true;
    },
    overwrite: () => {
      if (name === undefined) return;
      dropDraft(userId, draftPlace(name));
      setPlace(name);
    },
    leave: () => setPlace(undefined),
    resume: (wanted: string) => {
      const found = keptAt(userId, wanted);
      if (found) open(found.work);
      setPlace(found?.name, found);
    },
    forget: (unwanted: string) => {
      dropDraft(userId, draftPlace(unwanted));
      if (unwanted === name) setPlace(undefined);
      else if (left?.name === unwanted) setState({ name, left: undefined });
    },
  };
  return { kept: { name, left, isElsewhere: isElsewhere || isSharedPlace, names }, keeping };
}
