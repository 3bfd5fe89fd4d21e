import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { PastedTable } from '../../lib/paste-table.ts';
import { showToast, withdrawToast } from '../../lib/toast.ts';
import { checkRow, checkRows, withTwins, type Cells } from './checked-rows.ts';
import { findColumns, type ColumnChoices, type Columns } from './columns.ts';
import type { CheckedRow, ImportKind } from './import-kind.ts';

/** The second step: how the table was understood, with the corrections and ticks of a person. */
export type CheckedTable<Field extends string, Row> = {
  kind: ImportKind<Field, Row>;
  table: PastedTable;
  columns: Columns<Field>;
  choices: ColumnChoices<Field>;
  chooseColumn: (column: number, field: Field | null) => void;
  setHeaderless: (isHeaderless: boolean) => void;
  /** Whether rows can be read: the columns are found, or somebody goes on without the missing ones. */
  isSettled: boolean;
  goOnWithoutMissing: () => void;
  /** Undefined until they are read. */
  rows: readonly CheckedRow<Field, Row>[] | undefined;
  correct: (line: number, field: Field, text: string) => void;
  /** Takes every suggested repair. */
  repairAll: () => void;
  /** Lines that are left out by hand. */
  left: ReadonlySet<number>;
  leave: (lines: readonly number[], isLeft: boolean) => void;
};

const noChoices = { fields: new Map<number, never>(), isHeaderless: false };

/**
 * @param kind a stable one: another is another reading of the table
 * @param first what is remembered of such tables
 */
export function useCheckedTable<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  table: PastedTable,
  first: ColumnChoices<Field> = noChoices,
): CheckedTable<Field, Row> {
  const [choices, setChoices] = useState<ColumnChoices<Field>>(first);
  const [isWithoutMissing, setWithoutMissing] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [read, setRead] = useState<readonly CheckedRow<Field, Row>[]>();
  const corrections = useRef<Map<number, Cells<Field>>>(new Map());
  const columns = useMemo(() => findColumns(table, kind, choices), [table, kind, choices]);
  const isSettled =
    columns.missing.every(({ presence }) => presence === 'optional') ||
    (isWithoutMissing && columns.missing.every(({ presence }) => presence !== 'required'));
  const isReadable = isSettled && tableProblem(kind, table, columns) === undefined;
  useEffect(() => {
    if (!isReadable) return undefined;
    const abort = new AbortController();
    void (async () => {
      try {
        const checked = await checkRows(kind, table, columns, corrections.current, abort.signal);
        // Drawing thousands of rows' counts and the first page of them would hold the page for a moment.
        startTransition(() => setRead(checked));
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
    })();
    return () => abort.abort();
  }, [kind, table, columns, isReadable]);

  const rows = useMemo(() => read && withTwins(kind, read), [kind, read]);
  const isNothing = isReadable && rows?.every(({ row }) => row === undefined) === true;
  const problem = problemOf(kind, table, columns) ?? (isNothing ? '분석된 데이터 없음' : undefined);
  useEffect(() => {
    if (problem === undefined) return undefined;
    showToast(problem);
    return () => withdrawToast(problem);
  }, [problem]);
  const correctAll = useCallback(
    (changes: ReadonlyMap<number, Cells<Field>>) => {
      for (const [line, cells] of changes)
        corrections.current.set(line, { ...corrections.current.get(line), ...cells });
      setRead((before) =>
        before?.map((row) => {
          const cells = changes.get(row.line);
          return cells ? checkRow(kind, row.line, { ...row.cells, ...cells }) : row;
        }),
      );
    },
    [kind],
  );
  return {
    kind,
    table,
    columns,
    choices,
    chooseColumn: (column, field) => {
      const fields = new Map(choices.fields);
      // One column for each field: the one before gives it up.
      for (const [at, { field: own }] of columns.columns.entries())
        if (field !== null && own === field) fields.set(at, null);
      setChoices({ ...choices, fields: fields.set(column, field) });
    },
    setHeaderless: (isHeaderless) => setChoices({ fields: new Map(), isHeaderless }),
    isSettled,
    goOnWithoutMissing: () => setWithoutMissing(true),
    rows: isReadable ? rows : undefined,
    correct: useCallback(
      (line, field, text) => {
        const cells: Partial<Record<Field, string>> = {};
        cells[field] = text;
        correctAll(new Map([[line, cells]]));
      },
      [correctAll],
    ),
    repairAll: () => correctAll(repairsOf(rows ?? [])),
    left,
    leave: useCallback(
      (lines, isLeft) =>
        setLeft((before) => {
          const changed = new Set(lines);
          return isLeft ? before.union(changed) : before.difference(changed);
        }),
      [],
    ),
  };
}

/** What is told at once; the notes beside the columns say the rest. */
function problemOf<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  table: PastedTable,
  columns: Columns<Field>,
): string | undefined {
  return table.length === 0 ? '데이터 없음' : (columns.problem ?? tableProblem(kind, table, columns));
}

function tableProblem<Field extends string, Row>(
  { rowsMax, unit }: ImportKind<Field, Row>,
  table: PastedTable,
  { headerAt }: Columns<Field>,
): string | undefined {
  const count = table.length - headerAt - 1;
  if (count <= 0) return '데이터 없음';
  if (count > rowsMax) return `한 번에 ${rowsMax.toLocaleString('ko')}${unit}까지 입력할 수 있습니다`;
  return undefined;
}

function repairsOf<Field extends string>(
  rows: readonly CheckedRow<Field, unknown>[],
): Map<number, Cells<Field>> {
  const repairs = new Map<number, Cells<Field>>();
  for (const { line, doubts, errors } of rows) {
    const cells: Partial<Record<Field, string>> = {};
    for (const { field, repair } of [...errors, ...doubts])
      if (field !== undefined && repair !== undefined) cells[field] = repair;
    if (Object.keys(cells).length > 0) repairs.set(line, cells);
  }
  return repairs;
}

/** The ticked rows without an error: what the third step stores. */
export function chosenRows<Field extends string, Row>({
  rows = [],
  left,
}: Pick<CheckedTable<Field, Row>, 'rows' | 'left'>): Row[] {
  return rows.flatMap(({ line, row }) => (row === undefined || left.has(line) ? [] : [row]));
}
