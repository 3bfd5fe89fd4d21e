import { useCallback, useEffect, useState } from 'react';
import { draftAt, dropDraft, keepDraft } from '../../lib/drafts.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { doStep, redoStep, startHistory, stateBefore, undoStep } from '../../lib/history.ts';
import { parseKept } from './kept-classes.ts';
import { reopened, useKept } from './use-kept-class.ts';
import { EMPTY_WORK, type Work } from './class-work.ts';

/**
 * Changes the work as one undoable step.
 * @param name what is done, in words
 * @param mergeKey successive changes with the same key form one step
 */
export type Change = (name: string, update: (work: Work) => Work, mergeKey?: string) => void;

/** Merge keys of cut-offs and floors. */
const MOVES = /^(cutoff|floor) /;
/** Names of the steps that move them. */
const MOVE_NAMES = /^(컷|하한)/;
/** Milliseconds without a move until the draft is stored. */
const REST = 250;

/** Place of the work in progress while it is not kept under a name. */
const DRAFT = 'scores/open';

function draftOf(userId: number): Work | undefined {
  const draft = draftAt(userId, DRAFT);
  return draft && parseKept(JSON.stringify(draft.value));
}

/** The work in progress, its history, and whether this browser keeps it. */
export function useWork() {
  const { id: userId } = useLoginState();
  const [history, setHistory] = useState(() =>
    startHistory(reopened(userId) ?? draftOf(userId) ?? EMPTY_WORK),
  );
  const work = history.present;
  const open = useCallback((opened: Work) => setHistory(startHistory(opened)), []);
  const { kept, forget, ...keeping } = useKept(userId, work, open);

  // Storing a large class takes longer than a frame of a dragged cut-off may.
  const isDragged = MOVES.test(history.mergeKey ?? '');
  useEffect(() => {
    if (kept.name !== undefined) {
      dropDraft(userId, DRAFT);
      return undefined;
    }
    const store = () => keepDraft(userId, DRAFT, { start: EMPTY_WORK, value: work });
    if (!isDragged) {
      store();
      return undefined;
    }
    const timer = setTimeout(store, REST);
    return () => clearTimeout(timer);
  }, [userId, kept.name, work, isDragged]);

  const change = useCallback<Change>((name, update, mergeKey) => {
    setHistory((before) => doStep(before, update(before.present), name, mergeKey));
  }, []);
  const undo = useCallback(() => setHistory(undoStep), []);
  const redo = useCallback(() => setHistory(redoStep), []);

  /** Removes the class here and from storage, including its history. */
  const wipe = () => {
    if (kept.name !== undefined && !kept.isElsewhere) forget(kept.name);
    else keeping.leave();
    setHistory(startHistory(EMPTY_WORK));
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
    /** Whether the newest step may still be extended: a moving cut-off, a number being typed. */
    isUnderway: history.mergeKey !== undefined,
    /** The work before cut-offs and floors were moved, if that was done last, unless steps have been undone. */
    unmoved: history.future.length === 0 ? stateBefore(history, MOVE_NAMES) : undefined,
    /** Name of the step to undo or redo. */
    undoName: history.past.at(-1)?.name,
    redoName: history.future[0]?.name,
    kept,
    keeping: { ...keeping, forget },
    wipe,
  };
}

/** A field with the browser's own undo. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches('textarea, input:not([type=checkbox], [type=radio], [type=range])')
  );
}
