import { useMutation } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { isLike } from '../../lib/drafts.ts';
import { AS_TEXT, type RowOptions } from '../../lib/paste-table.ts';
import { readTable, type MarkedTable, type TableSource } from '../../lib/table-file/read-table.ts';
import { untilIdle } from '../../lib/until-idle.ts';
import { useAutosaved, type Restored } from '../use-draft.ts';

/** A table that was read, another `id` for each reading, with what was said about it. */
export type InputTable = MarkedTable & {
  id: number;
  /** Of the file; empty for a text. */
  name: string;
  check: CheckState;
  changeCheck: (step: (check: CheckState) => CheckState) => void;
};

/** Where the text is held: a draft, as of `useAutosavedText`. */
type HeldText = { text: string; setText: (text: string) => void; restored: Restored };

/** The first step: what was pasted, dropped or chosen, and the table that was read of it. */
export type TableInputState = ReturnType<typeof useTableInput>;

/** A larger table would leave no room for other drafts. */
const KEPT_MAX = 1_000_000;

type KeptFile = { name: string; table: MarkedTable | null };
const NO_FILE: KeptFile = { name: '', table: null };
/** The shape of a table in this version: a draft of another version holds less and is not shown. */
const TABLE: MarkedTable = { ...AS_TEXT, rows: [], doubtful: [], mark: '', size: 0 };

/** Null for none, and for one that another version has kept. */
export const storedTableOf = (table: unknown): MarkedTable | null => (isLike(table, TABLE) ? table : null);

let lastId = 0;

/** @param place of the import's drafts besides its text: `students/import` */
export function useTableInput(place: string, held: HeldText, options: RowOptions = {}) {
  const { text, setText } = held;
  const keptFile = useAutosaved<KeptFile>(`${place}/file`, () => NO_FILE);
  const keptCheck = useAutosaved<CheckState>(`${place}/check`, () => UNCHECKED);
  const [source, setSource] = useState<File>();
  const [isOpen, setOpen] = useState(keptFile.value.table !== null || keptCheck.value.of !== '');
  /** What was given last, also after the screen was left. */
  const newest = useRef<TableSource>(undefined);
  const keep = async (given: TableSource, read: MarkedTable & { id: number }) => {
    if (!('file' in given) || read.size > KEPT_MAX) return;
    const { id: _, ...table } = read;
    // Thousands of rows are shown before they are stored.
    await untilIdle();
    if (newest.current === given) keptFile.change(() => ({ name: given.file.name, table }));
  };
  const { mutate, reset, data, isPending } = useMutation({
    mutationFn: async (given: TableSource) => {
      const read = await readTable(given, options);
      return 'refusal' in read ? read : { ...read, id: (lastId += 1) };
    },
    onSuccess: (read, given) => {
      if ('rows' in read) void keep(given, read);
    },
  });
  // What was said about a table is shown with it.
  const [resumed] = useState(isOpen && keptFile.value.table === null && text !== '' ? text : undefined);
  useEffect(() => {
    if (resumed !== undefined) mutate({ text: resumed });
  }, [resumed, mutate]);

  const { name, table } = keptFile.value;
  const keptTable = storedTableOf(table);
  const restoredTable = useMemo(() => (keptTable ? { ...keptTable, id: 0 } : undefined), [keptTable]);
  const current = data && 'rows' in data ? data : source ? undefined : restoredTable;
  // Deferred: the check is drawn in steps, so that the page stays responsive.
  const shown = useDeferredValue(current);
  const mark = shown?.mark ?? '';
  const { change } = keptCheck;
  const changeCheck = useCallback<InputTable['changeCheck']>(
    (step) => change((now) => nextCheck(now, mark, step)),
    [change, mark],
  );
  // What another tab has stored or discarded is not shown here any longer.
  const hasKept = keptTable !== null;
  const [seen, setSeen] = useState({ source, hasKept });
  if (seen.source !== source || seen.hasKept !== hasKept) {
    setSeen({ source, hasKept });
    if (source !== undefined && seen.source === source && seen.hasKept && !hasKept) {
      setSource(undefined);
      setOpen(false);
    }
  }
  const fileName = source?.name ?? name;
  const isGone = source === undefined && !hasKept && text === '';
  const isGiven = text !== '' || source !== undefined || keptTable !== null;
  const forgetFile = () => {
    newest.current = undefined;
    setSource(undefined);
    keptFile.restart(NO_FILE);
  };
  const ask = (given: TableSource) => {
    newest.current = given;
    mutate(given);
  };
  const forgetCheck = () => keptCheck.restart(UNCHECKED);
  return {
    text,
    setText: (next: string) => {
      setText(next);
      if (next === '') forgetCheck();
      reset();
    },
    /** Instead of the text; `source` is missing when only its table has been kept. */
    file:
      source || keptTable
        ? { name: fileName, source, isKept: current === undefined || current.size <= KEPT_MAX }
        : undefined,
    /** Undefined until something is read, and again as soon as something else is given. */
    table:
      isOpen && !isGone && current && shown
        ? { ...shown, name: fileName, check: checkOf(keptCheck.value, mark), changeCheck }
        : undefined,
    /** What was read, also while it is not shown yet. */
    newest: current && { ...current, name: fileName },
    isReading: isPending,
    /** Why a file cannot be read, and what to do about it. */
    refusal: data && 'refusal' in data ? data.refusal : undefined,
    /** Takes a text or file and shows its table at once, or with `isHeld` only when read() is called. */
    give: (given: TableSource, isHeld = false) => {
      forgetFile();
      if ('text' in given) setText(given.text);
      else setSource(given.file);
      setOpen(!isHeld);
      ask(given);
    },
    read: () => {
      setOpen(true);
      if (!current) ask(source ? { file: source } : { text });
    },
    /** Forgets the file, or else the text. */
    clear: () => {
      if (!source && !keptTable) setText('');
      forgetFile();
      forgetCheck();
      reset();
    },
    /** Closes the table: what was given stays, and what was said about it. */
    close: () => setOpen(false),
    /** Closes the table and forgets what was said about it. */
    cancel: () => {
      setOpen(false);
      forgetCheck();
    },
    /** To be called when the rows are stored: forgets all but the text, whose holder empties it. */
    finish: () => {
      forgetFile();
      forgetCheck();
      reset();
    },
    restored: {
      isRestored:
        held.restored.isRestored ||
        (isGiven && (keptFile.restored.isRestored || keptCheck.restored.isRestored)),
      isRefused: [held, keptFile, keptCheck].some(({ restored }) => restored.isRefused),
      isOfOtherTab: [held, keptFile, keptCheck].some(({ restored }) => restored.isOfOtherTab),
      onDiscard: () => {
        held.restored.onDiscard();
        forgetFile();
        forgetCheck();
        reset();
      },
    },
  };
}

/** What a person has said about a table that was read. It is kept as a draft, so it is plain JSON. */
export type CheckState = {
  /** Identifies the table that this state belongs to. */
  of: string;
  /** The columns as chosen by hand; null as found. */
  columns: { fields: Readonly<Record<number, string | null>>; isHeaderless: boolean } | null;
  isWithoutMissing: boolean;
  /** Corrected cells by line. */
  corrections: Readonly<Record<number, Correction['cells']>>;
  /** Rows that were ticked or left out, by line. */
  ticks: Readonly<Record<number, boolean>>;
  /** What a feature has ticked besides rows, by names of its own. */
  extras: Readonly<Record<string, boolean>>;
};

/** Cells of a line as they were corrected. */
export type Correction = { line: number; cells: Readonly<Partial<Record<string, string>>> };

export const UNCHECKED: CheckState = {
  of: '',
  columns: null,
  isWithoutMissing: false,
  corrections: {},
  ticks: {},
  extras: {},
};

/** The state of the table with that mark. */
export const checkOf = (state: CheckState, mark: string): CheckState =>
  state.of === mark ? state : { ...UNCHECKED, of: mark };

/** The next state; as good as none when nothing is left of what was said. */
export function nextCheck(
  state: CheckState,
  mark: string,
  step: (state: CheckState) => CheckState,
): CheckState {
  const next = step(checkOf(state, mark));
  return JSON.stringify({ ...next, of: '' }) === JSON.stringify(UNCHECKED) ? UNCHECKED : next;
}
