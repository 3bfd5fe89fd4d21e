import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import { addStep, redoStep, startHistory, undoStep } from '../../lib/history.ts';
import type { PastedTable } from '../../lib/paste-table.ts';
import { showToast, withdrawToast } from '../../lib/toast-queue.ts';
import { checkRow, checkRows, markDuplicates, type CheckedCells } from './checked-rows.ts';
import { findColumns, type ColumnChoices, type FoundColumns } from './columns.ts';
import type { CheckedRow, ImportKind } from './import-kind.ts';
import { EMPTY_CHECK, type CheckState, type Correction, type InputTable } from './use-table-input.ts';

/** The state of the check step: the table's columns and rows, with the user's corrections and ticks. */
export type CheckedTable<Field extends string, Row> = ReturnType<typeof useCheckedTable<Field, Row>>;

/**
 * @param kind must keep its identity between renders: a new object makes the table be read again
 * @param first the initial column choices, as remembered from earlier tables of this kind
 */
export function useCheckedTable<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  { rows: table, doubtful, check: state, changeCheck }: InputTable,
  first?: ColumnChoices<Field>,
) {
  const [history, setHistory] = useState(() => startHistory(EMPTY_CHECK));
  const [read, setRead] = useState<readonly CheckedRow<Field, Row>[]>();
  const step = useCallback(
    (name: string, update: (state: CheckState) => CheckState) =>
      changeCheck((present) => {
        const next = update(present);
        setHistory((before) => addStep({ ...before, present }, next, name));
        return next;
      }),
    [changeCheck],
  );
  const choices = useMemo(
    () => (state.columns ? choicesOf(kind, state.columns) : (first ?? choicesOf(kind, NO_CHOICES))),
    [kind, state.columns, first],
  );
  const columns = useMemo(() => findColumns(table, kind, choices), [table, kind, choices]);
  const isSettled =
    columns.missing.every(({ presence }) => presence === 'optional') ||
    // If every column has a field, no column can be the missing one, so the missing column counts as empty.
    ((state.isWithoutMissing || columns.columns.every(({ field }) => field !== undefined)) &&
      columns.missing.every(({ presence }) => presence !== 'required'));
  const isReadable = isSettled && tableProblem(kind, table, columns) === undefined;
  useEffect(() => {
    if (!isReadable) return undefined;
    const abort = new AbortController();
    void (async () => {
      try {
        const checked = await checkRows(kind, { rows: table, doubtful }, columns, abort.signal);
        // A transition, because rendering thousands of rows would block the page for a moment.
        startTransition(() => setRead(checked));
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
    })();
    return () => abort.abort();
  }, [kind, table, doubtful, columns, isReadable]);

  // Rows that are already read are cached, so that a correction reads only the corrected row again.
  const known = useMemo(
    () => read && { read, rows: new WeakMap<CheckedCells<Field>, CheckedRow<Field, Row>>() },
    [read],
  );
  const { corrections } = state;
  const rows = useMemo(
    () =>
      known &&
      markDuplicates(
        kind,
        known.read.map((row) => {
          const cells: CheckedCells<Field> | undefined = corrections[row.line];
          if (!cells) return row;
          const corrected = known.rows.get(cells) ?? checkRow(kind, row.line, { ...row.cells, ...cells });
          known.rows.set(cells, corrected);
          return corrected;
        }),
      ),
    [kind, known, corrections],
  );
  const isNothing = isReadable && rows?.every(({ row }) => row === undefined) === true;
  const problem = problemOf(kind, table, columns) ?? (isNothing ? '분석된 데이터 없음' : undefined);
  useEffect(() => {
    if (problem === undefined) return undefined;
    showToast(problem);
    return () => withdrawToast(problem);
  }, [problem]);
  const { ticks } = state;
  const left = useMemo(() => linesWith(ticks, false), [ticks]);
  const correctRows = useCallback(
    (name: string, changes: readonly Correction[]) =>
      step(name, (before) => withCorrections(before, changes)),
    [step],
  );
  const setColumns = (next: ColumnChoices<Field>) => {
    const { fields, isHeaderless } = next;
    step('열 변경', (before) => ({
      ...before,
      columns: { fields: Object.fromEntries(fields), isHeaderless },
    }));
  };
  return {
    kind,
    table,
    columns,
    choices,
    chooseColumn: (column: number, field: Field | null) => {
      const fields = new Map(choices.fields);
      // A field has only one column, so the column that had this field before is left out.
      for (const [at, { field: own }] of columns.columns.entries())
        if (field !== null && own === field) fields.set(at, null);
      setColumns({ ...choices, fields: fields.set(column, field) });
    },
    setHeaderless: (isHeaderless: boolean) => setColumns({ fields: new Map(), isHeaderless }),
    /** Why no rows can be read although the columns are found: the table has no rows, or too many rows. */
    tableProblem: tableProblem(kind, table, columns),
    /** Whether rows can be read: all columns are found, or the user continues without the missing ones. */
    isSettled,
    goOnWithoutMissing: () => step('없는 열 비워 두기', (before) => ({ ...before, isWithoutMissing: true })),
    /** Undefined until the rows are read. */
    rows: isReadable ? rows : undefined,
    correct: useCallback(
      (line: number, field: Field, text: string) =>
        correctRows(`${line}행 수정`, [{ line, cells: { [field]: text } }]),
      [correctRows],
    ),
    /** Corrects several rows as a single undo step with the given name. */
    correctRows,
    repairAll: () => correctRows('제안 모두 반영', suggestedCorrections(rows ?? [])),
    /** Lines that the user left out by hand. */
    left,
    leave: useCallback(
      (lines: readonly number[], isLeft: boolean) =>
        step(`${lines.length}행 ${isLeft ? '제외' : '포함'}`, (before) => ({
          ...before,
          ticks: { ...before.ticks, ...Object.fromEntries(lines.map((line) => [line, !isLeft])) },
        })),
      [step],
    ),
    /** The user's choices by line: true for ticked, false for left out. */
    ticks,
    /** Ticks that are not about rows, such as a confirmation; the feature chooses their names. */
    extras: state.extras,
    tickExtra: (name: string, isTicked: boolean) =>
      step('체크', (before) => ({ ...before, extras: { ...before.extras, [name]: isTicked } })),
    undo: () => {
      const last = history.past.at(-1);
      if (!last) return;
      setHistory(undoStep({ ...history, present: state }));
      changeCheck(() => last.state);
    },
    redo: () => {
      const [next] = history.future;
      if (!next) return;
      setHistory(redoStep({ ...history, present: state }));
      changeCheck(() => next.state);
    },
    undoName: history.past.at(-1)?.name,
    redoName: history.future[0]?.name,
  };
}

const NO_CHOICES = { fields: {}, isHeaderless: false };

/** The stored column choices, reduced to fields that this kind knows. */
function choicesOf<Field extends string>(
  { fields: known }: Pick<ImportKind<Field, never>, 'fields'>,
  { fields, isHeaderless }: NonNullable<CheckState['columns']>,
): ColumnChoices<Field> {
  const chosen = Object.entries(fields).map(
    ([at, field]) => [Number(at), known.find(({ name }) => name === field)?.name ?? null] as const,
  );
  return { fields: new Map(chosen), isHeaderless };
}

function linesWith(ticks: CheckState['ticks'], isTicked: boolean): ReadonlySet<number> {
  return new Set(Object.entries(ticks).flatMap(([line, each]) => (each === isTicked ? [Number(line)] : [])));
}

function withCorrections(state: CheckState, changes: readonly Correction[]): CheckState {
  const corrections = { ...state.corrections };
  for (const { line, cells } of changes) corrections[line] = { ...corrections[line], ...cells };
  return { ...state, corrections };
}

/** The problem shown at the top; notes beside the columns explain the rest. */
function problemOf<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  table: PastedTable,
  columns: FoundColumns<Field>,
): string | undefined {
  return table.length === 0 ? '데이터 없음' : (columns.problem ?? tableProblem(kind, table, columns));
}

function tableProblem<Field extends string, Row>(
  { rowsMax, unit }: ImportKind<Field, Row>,
  table: PastedTable,
  { headerAt }: FoundColumns<Field>,
): string | undefined {
  const count = table.length - headerAt - 1;
  if (count <= 0) return '데이터 없음';
  if (count > rowsMax)
    return `한 번에 ${rowsMax.toLocaleString('ko')}${unit}까지 입력할 수 있습니다. ${count.toLocaleString('ko')}행을 ${Math.ceil(count / rowsMax)}번에 나누어 넣으세요`;
  return undefined;
}

export function suggestedCorrections<Field extends string>(
  rows: readonly CheckedRow<Field, unknown>[],
): Correction[] {
  return rows.flatMap(({ line, doubts, errors }) => {
    const cells = Object.fromEntries(
      [...errors, ...doubts].flatMap(({ field, repair }) =>
        field === undefined || repair === undefined ? [] : [[field, repair]],
      ),
    );
    return Object.keys(cells).length === 0 ? [] : [{ line, cells }];
  });
}

/** The lines not to store: all that the user left out, and those of `lines` that the user has not ticked. */
export function excludedLines(
  { left, ticks }: Pick<CheckedTable<string, unknown>, 'left' | 'ticks'>,
  lines: readonly number[],
): ReadonlySet<number> {
  return new Set([...left, ...lines.filter((line) => ticks[line] !== true)]);
}

/** The ticked rows without an error, which the third step stores. */
export function chosenRows<Field extends string, Row>({
  rows = [],
  left,
}: Pick<CheckedTable<Field, Row>, 'rows' | 'left'>): Row[] {
  return rows.flatMap(({ line, row }) => (row === undefined || left.has(line) ? [] : [row]));
}
