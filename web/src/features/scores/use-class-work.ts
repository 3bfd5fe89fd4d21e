import { useCallback, useEffect, useState } from 'react';
import { useLoginState } from '../../lib/login-state.ts';
import { doStep, redoStep, startHistory, undoStep } from './history.ts';
import { reopened, useKept } from './use-kept-class.ts';
import { EMPTY_WORK, type Work } from './class-work.ts';

/**
 * Changes the work as one step that can be undone.
 * @param name what is done, in words
 * @param mergeKey changes with the same key that follow one another are one step
 */
export type Change = (name: string, update: (work: Work) => Work, mergeKey?: string) => void;

/** The work in hand, its steps, and whether this browser keeps it. */
export function useWork() {
  const { id: userId } = useLoginState();
  const [history, setHistory] = useState(() => startHistory(reopened(userId) ?? EMPTY_WORK));
  const work = history.present;
  const open = useCallback((opened: Work) => setHistory(startHistory(opened)), []);
  const { kept, forget, ...keeping } = useKept(userId, work, open);

  const change = useCallback<Change>((name, update, mergeKey) => {
    setHistory((before) => doStep(before, update(before.present), name, mergeKey));
  }, []);
  const undo = useCallback(() => setHistory(undoStep), []);
  const redo = useCallback(() => setHistory(redoStep), []);

  /** Forgets the class here and in the browser's storage, its steps as well. */
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
    /** Whether the newest step may still go on: a cut-off on its way, a number being typed. */
    isUnderway: history.mergeKey !== undefined,
    /** Name of the step that would be undone or done again. */
    undoName: history.past.at(-1)?.name,
    redoName: history.future[0]?.name,
    kept,
    keeping: { ...keeping, forget },
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
