import { useCallback, useEffect, useRef, useState } from 'react';
import { draftAt, dropDraft, keepDraft } from '../../../lib/drafts.ts';
import { doStep, redoStep, startHistory, stateBefore, undoStep } from '../../../lib/history.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { showToast } from '../../../lib/toast.ts';
import { isSameClass } from '../paste/pasted-again.ts';
import { type Change, EMPTY_WORK, type Work } from '../work.ts';
import {
  firstName,
  forgetKept,
  keep,
  type Kept,
  keptNames,
  keyOf,
  openName,
  parseKept,
  readKept,
  setOpenName,
} from './kept-classes.ts';

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

/** Where the work in progress is kept, and what else is. */
type KeptState = {
  /** The class's name; undefined if it is not kept. */
  name: string | undefined;
  /** Another tab has written something else to its place, which is not overwritten. */
  isElsewhere: boolean;
  /** The class that stays as kept, because what was pasted over it looked different. */
  left: (Kept & { name: string }) | undefined;
  /** All kept classes. */
  names: readonly string[];
};

/** Restored after a reload. */
function reopened(userId: number): Work | undefined {
  const name = openName(userId);
  return name === undefined ? undefined : readKept(userId, name)?.work;
}

/** Keeps the work in progress under its class's name, if the user wants it. */
function useKept(userId: number, work: Work, open: (work: Work) => void) {
  const [start] = useState(() => {
    const name = openName(userId);
    const kept = name === undefined ? undefined : readKept(userId, name);
    return { name: kept && name, kept };
  });
  const [state, setState] = useState<KeptState>(() => ({
    name: start.name,
    isElsewhere: false,
    left: undefined,
    names: keptNames(userId),
  }));
  /** What this tab last read or wrote there. */
  const seen = useRef<Kept | undefined>(start.kept);
  /** The paste that was last compared with the previous class. */
  const compared = useRef('');
  const { name, isElsewhere, left } = state;

  const setPlace = useCallback(
    (next: string | undefined, found?: Kept, left?: KeptState['left']) => {
      seen.current = found;
      setOpenName(userId, next);
      setState({ name: next, isElsewhere: false, left, names: keptNames(userId) });
    },
    [userId],
  );

  useEffect(() => {
    // An emptied field is about to receive the next class.
    if (isElsewhere || work.text === '') return;
    if (name === undefined) {
      if (!left || compared.current === work.text) return;
      compared.current = work.text;
      // By undo, or pasted again.
      if (isSameClass(left.work, work)) queueMicrotask(() => setPlace(left.name, left));
      return;
    }
    const last = seen.current;
    if (last && last.work.text !== work.text && !isSameClass(last.work, work)) {
      compared.current = work.text;
      queueMicrotask(() => setPlace(undefined, undefined, { ...last, name }));
      return;
    }
    const result = keep(userId, name, work, seen.current?.text ?? null);
    if (result === 'refused') {
      queueMicrotask(() => setPlace(undefined));
      showToast('이 브라우저에 보관하지 못했습니다');
    } else if (result === 'elsewhere') {
      queueMicrotask(() => setState((before) => ({ ...before, isElsewhere: true })));
    } else {
      seen.current = { text: result.text, work };
      queueMicrotask(() => setState((before) => withNames(before, keptNames(userId))));
    }
  }, [userId, name, isElsewhere, left, work, setPlace]);

  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      const isOurs =
        name !== undefined && key === keyOf(userId, name) && newValue !== (seen.current?.text ?? null);
      setState((before) => ({
        ...withNames(before, keptNames(userId)),
        isElsewhere: before.isElsewhere || isOurs,
      }));
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [userId, name]);

  return {
    kept: state,
    /** Starts keeping the class under a new name; reports a name that is taken instead of overwriting it. */
    keepAs: (next = firstName(work, state.names)) => setPlace(next),
    /** The paste belongs to the previous class after all. */
    keepOn: () => {
      if (left) setPlace(left.name, { text: left.text, work });
    },
    /** Renames the class; false if the name is taken. */
    rename: (next: string) => {
      if (next === name) return true;
      if (name === undefined || state.names.includes(next)) return false;
      if (!isElsewhere) forgetKept(userId, name);
      setPlace(next);
      return true;
    },
    /** Overwrites what another tab has kept. */
    overwrite: () => {
      if (name === undefined) return;
      forgetKept(userId, name);
      setPlace(name);
    },
    /** Stops keeping the work in progress; what is kept stays. */
    leave: () => setPlace(undefined),
    /** Continues with a kept class. */
    resume: (wanted: string) => {
      const found = readKept(userId, wanted);
      if (found) open(found.work);
      setPlace(found && wanted, found);
    },
    forget: (unwanted: string) => {
      forgetKept(userId, unwanted);
      if (unwanted === name) setPlace(undefined);
      else {
        setState((before) => ({
          ...withNames(before, keptNames(userId)),
          left: before.left?.name === unwanted ? undefined : before.left,
        }));
      }
    },
  };
}

function withNames(before: KeptState, names: readonly string[]): KeptState {
  return names.join('\n') === before.names.join('\n') ? before : { ...before, names };
}
