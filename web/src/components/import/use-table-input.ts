import { useMutation } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { hasShapeOf } from '../../lib/drafts.ts';
import { TEXT_TABLE, type RowOptions } from '../../lib/paste-table.ts';
import { readTable, type TableWithDigest, type TableSource } from '../../lib/table-file/read-table.ts';
import { untilIdle } from '../../lib/until-idle.ts';
import { useAutosaved, type RestoredDraft } from '../use-draft.ts';

/** A table with the user's column choices and corrections. Reading input again gives a new `id`. */
export type InputTable = TableWithDigest & {
  id: number;
  /** Name of the file; empty for pasted or typed text. */
  name: string;
  check: CheckState;
  changeCheck: (step: (check: CheckState) => CheckState) => void;
};

/** The text of the field, which is stored as a draft, as `useAutosavedText` returns it. */
type HeldText = { text: string; setText: (text: string) => void; restored: RestoredDraft };

/** The state of the first step: the pasted, dropped or chosen input, and the table that was read from it. */
export type TableInputState = ReturnType<typeof useTableInput>;

/** Maximum size of a stored table: a larger one would leave no room for other drafts. */
const KEPT_MAX = 1_000_000;

type KeptFile = { name: string; table: TableWithDigest | null };
const NO_FILE: KeptFile = { name: '', table: null };
/** Every table of this version has these fields: a draft that lacks one was stored by another version. */
const TABLE: TableWithDigest = { ...TEXT_TABLE, rows: [], doubtful: [], mark: '', size: 0 };

/** Null for no table, and for a table stored by another version. */
export const parseStoredTable = (table: unknown): TableWithDigest | null =>
  hasShapeOf(table, TABLE) ? table : null;

let lastId = 0;

/** @param place prefix of the drafts' places, such as `students/import`. The caller stores the text `held`. */
export function useTableInput(place: string, held: HeldText, options: RowOptions = {}) {
  const { text, setText } = held;
  const keptFile = useAutosaved<KeptFile>(`${place}/file`, () => NO_FILE);
  const keptCheck = useAutosaved<CheckState>(`${place}/check`, () => EMPTY_CHECK);
  const [source, setSource] = useState<File>();
  const [isOpen, setOpen] = useState(keptFile.value.table !== null || keptCheck.value.of !== '');
  /** The input that the user entered last, also after the user has left the screen. */
  const newest = useRef<TableSource>(undefined);
  const keep = async (given: TableSource, read: TableWithDigest & { id: number }) => {
    if (!('file' in given) || read.size > KEPT_MAX) return;
    const { id: _, ...table } = read;
    // The table is stored when the browser is idle, so that thousands of rows are shown first.
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
  // A table from pasted text is read again, so that the stored corrections are shown with it.
  const [resumed] = useState(isOpen && keptFile.value.table === null && text !== '' ? text : undefined);
  useEffect(() => {
    if (resumed !== undefined) mutate({ text: resumed });
  }, [resumed, mutate]);

  const { name, table } = keptFile.value;
  const keptTable = parseStoredTable(table);
  const restoredTable = useMemo(() => (keptTable ? { ...keptTable, id: 0 } : undefined), [keptTable]);
  const current = data && 'rows' in data ? data : source ? undefined : restoredTable;
  // Deferred: the check renders in slices, so that the page stays responsive.
  const shown = useDeferredValue(current);
  const mark = shown?.mark ?? '';
  const { change } = keptCheck;
  const changeCheck = useCallback<InputTable['changeCheck']>(
    (step) => change((now) => nextCheckState(now, mark, step)),
    [change, mark],
  );
  // A table that another tab has stored or discarded is no longer shown here.
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
  const forgetCheck = () => keptCheck.restart(EMPTY_CHECK);
  return {
    text,
    setText: (next: string) => {
      setText(next);
      if (next === '') forgetCheck();
      reset();
    },
    /** Set if the input is a file. After a reload `source` is missing, because drafts contain only tables. */
    file:
      source || keptTable
        ? { name: fileName, source, isKept: current === undefined || current.size <= KEPT_MAX }
        : undefined,
    /** Undefined until a table is read, and again as soon as the user enters other input. */
    table:
      isOpen && !isGone && current && shown
        ? { ...shown, name: fileName, check: checkStateFor(keptCheck.value, mark), changeCheck }
        : undefined,
    /** The table that was read last, even while it is not shown yet. */
    newest: current && { ...current, name: fileName },
    isReading: isPending,
    /** Why a file cannot be read, what the user can do, and the sheets that may be read instead. */
    refusal: data && 'refusal' in data ? data : undefined,
    /** Takes a text or file and shows its table immediately, or, with `isHeld`, only after read(). */
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
    /** Removes the file, or the text if there is no file. */
    clear: () => {
      if (!source && !keptTable) setText('');
      forgetFile();
      forgetCheck();
      reset();
    },
    /** Closes the table; the input, the corrections and the ticks stay. */
    close: () => setOpen(false),
    /** Closes the table and discards its corrections and ticks. */
    cancel: () => {
      setOpen(false);
      forgetCheck();
    },
    /** Call when the rows are stored: removes everything except the text, which its owner empties. */
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

/** The user's corrections and choices for a table. Stored as a draft, so it is plain JSON. */
export type CheckState = {
  /** Identifies the table that this state belongs to. */
  of: string;
  /** The column choices made by hand; null if the found columns are used. */
  columns: { fields: Readonly<Record<number, string | null>>; isHeaderless: boolean } | null;
  isWithoutMissing: boolean;
  /** Corrected cells by line. */
  corrections: Readonly<Record<number, Correction['cells']>>;
  /** Rows ticked (true) or left out (false), by line. */
  ticks: Readonly<Record<number, boolean>>;
  /** Ticks that are not about rows, such as a confirmation; the feature chooses their names. */
  extras: Readonly<Record<string, boolean>>;
};

export type Correction = { line: number; cells: Readonly<Partial<Record<string, string>>> };

export const EMPTY_CHECK: CheckState = {
  of: '',
  columns: null,
  isWithoutMissing: false,
  corrections: {},
  ticks: {},
  extras: {},
};

/** The state for the table with this mark; an empty state if the stored state belongs to another table. */
export const checkStateFor = (state: CheckState, mark: string): CheckState =>
  state.of === mark ? state : { ...EMPTY_CHECK, of: mark };

/** The next state; equal to the empty state when no correction or choice is left. */
export function nextCheckState(
  state: CheckState,
  mark: string,
  step: (state: CheckState) => CheckState,
): CheckState {
  const next = step(checkStateFor(state, mark));
  return JSON.stringify({ ...next, of: '' }) === JSON.stringify(EMPTY_CHECK) ? EMPTY_CHECK : next;
}
