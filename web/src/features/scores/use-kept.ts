import { useCallback, useEffect, useRef, useState } from 'react';
import { showToast } from '../../lib/toast.ts';
import { isSameClass } from './carry.ts';
import {
  firstName,
  forgetKept,
  keep,
  keptNames,
  keyOf,
  openName,
  readKept,
  setOpenName,
  type Kept,
} from './keep.ts';
import type { Work } from './work.ts';

/** Where the work in hand is kept, and what else is. */
export type KeptState = {
  /** The class's name; undefined: it is not kept. */
  name: string | undefined;
  /** Its place holds something else, which was written in another tab: nothing is written over it. */
  isElsewhere: boolean;
  /** Every class that is kept. */
  names: readonly string[];
};

/** What comes back when the page is loaded again. */
export function reopened(userId: number): Work | undefined {
  const name = openName(userId);
  return name === undefined ? undefined : readKept(userId, name)?.work;
}

/** Keeps the work in hand under its class's name, as long as its user wants it. */
export function useKept(userId: number, work: Work, open: (work: Work) => void) {
  const [start] = useState(() => {
    const name = openName(userId);
    const kept = name === undefined ? undefined : readKept(userId, name);
    return { name: kept && name, kept };
  });
  const [state, setState] = useState<KeptState>(() => ({
    name: start.name,
    isElsewhere: false,
    names: keptNames(userId),
  }));
  /** What this tab last read or wrote in the place. */
  const seen = useRef<Kept | undefined>(start.kept);
  const { name, isElsewhere } = state;

  const setPlace = useCallback(
    (next: string | undefined, found?: Kept) => {
      seen.current = found;
      setOpenName(userId, next);
      setState({ name: next, isElsewhere: false, names: keptNames(userId) });
    },
    [userId],
  );

  useEffect(() => {
    // An emptied field is on its way to the next class.
    if (name === undefined || isElsewhere || work.text === '') return;
    const last = seen.current?.work;
    if (last && last.text !== work.text && !isSameClass(last, work)) {
      queueMicrotask(() => setPlace(undefined));
      showToast(`다른 강의여서 ‘${name}’은(는) 보관된 대로 두었습니다`);
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
  }, [userId, name, isElsewhere, work, setPlace]);

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
    /** Begins to keep the class, under a name of its own; a name that is taken is told, not overwritten. */
    keepAs: (next = firstName(work, state.names)) => setPlace(next),
    /** Gives the class another name; false where that one is taken. */
    rename: (next: string) => {
      if (next === name) return true;
      if (name === undefined || state.names.includes(next)) return false;
      if (!isElsewhere) forgetKept(userId, name);
      setPlace(next);
      return true;
    },
    /** Writes what is in hand over what another tab has kept. */
    overwrite: () => {
      if (name === undefined) return;
      forgetKept(userId, name);
      setPlace(name);
    },
    /** Stops keeping the work in hand; what is kept stays. */
    leave: () => setPlace(undefined),
    /** Goes on with a class that is kept. */
    resume: (wanted: string) => {
      const found = readKept(userId, wanted);
      if (found) open(found.work);
      setPlace(found && wanted, found);
    },
    forget: (unwanted: string) => {
      forgetKept(userId, unwanted);
      if (unwanted === name) setPlace(undefined);
      else setState((before) => withNames(before, keptNames(userId)));
    },
  };
}

function withNames(before: KeptState, names: readonly string[]): KeptState {
  return names.join('\n') === before.names.join('\n') ? before : { ...before, names };
}
