import { useCallback, useEffect, useState } from 'react';
import { useLoginState } from '../../lib/login-state.ts';
import { showToast } from '../../lib/toast.ts';
import { doStep, redoStep, startHistory, undoStep } from './history.ts';
import { forgetKept, keep, readKept } from './keep.ts';
import { EMPTY_WORK, type Work } from './work.ts';

/**
 * Changes the work as one step that can be undone.
 * @param name what is done, in words
 * @param mergeKey changes with the same key that follow one another are one step
 */
export type Change = (name: string, update: (work: Work) => Work, mergeKey?: string) => void;

/** The work in hand, its steps, and whether this browser keeps it. */
export function useWork() {
  const { id: userId } = useLoginState();
  const [kept] = useState(() => readKept(userId));
  const [isKept, setKept] = useState(kept !== undefined);
  const [history, setHistory] = useState(() => startHistory(kept ?? EMPTY_WORK));
  const work = history.present;

  const change = useCallback<Change>((name, update, mergeKey) => {
    setHistory((before) => doStep(before, update(before.present), name, mergeKey));
  }, []);
  const undo = useCallback(() => setHistory(undoStep), []);
  const redo = useCallback(() => setHistory(redoStep), []);

  const keepOrNot = useCallback(
    (next: boolean) => {
      if (!next) forgetKept(userId);
      setKept(next);
    },
    [userId],
  );
  /** Forgets the class here and in the browser's storage, its steps as well. */
  const wipe = useCallback(() => {
    forgetKept(userId);
    setKept(false);
    setHistory(startHistory(EMPTY_WORK));
  }, [userId]);

  useEffect(() => {
    if (!isKept || keep(userId, work)) return;
    queueMicrotask(() => setKept(false));
    showToast('이 브라우저에 보관하지 못했습니다');
  }, [isKept, userId, work]);

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
    /** Whether the newest step may still go on: a cut-off on its way, a number being typed. */
    isUnderway: history.mergeKey !== undefined,
    /** Name of the step that would be undone or done again. */
    undoName: history.past.at(-1)?.name,
    redoName: history.future[0]?.name,
    isKept,
    keepOrNot,
    wipe,
  };
}

/** A field in which the browser itself undoes what was typed. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches('textarea, input:not([type=checkbox], [type=radio], [type=range])')
  );
}
