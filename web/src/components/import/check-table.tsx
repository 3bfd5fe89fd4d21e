import { useId, useMemo, useState, type ReactNode } from 'react';
import { columnValues } from '../../lib/column-values.ts';
import { ColumnValuesPart } from '../column-values-part.tsx';
import { DataTable } from '../data-table.tsx';
import { StepButton } from '../step-button.tsx';
import type { Column } from '../table-column.ts';
import { cn } from '../../lib/cn.ts';
import { Button } from '../ui/button.tsx';
import { TOTALS_ROW_TEXT } from './checked-rows.ts';
import { EditableCell } from './editable-cell.tsx';
import type { CheckedRow, RowFlag, ImportField, ImportKind } from './import-kind.ts';
import type { CheckedTable } from './use-checked-table.ts';

type Props<Field extends string, Row> = {
  check: CheckedTable<Field, Row>;
  caption: string;
  isStale?: boolean;
  /** Additional columns that show what happens to each row. Pass a stable array. */
  outcome?: readonly Column<CheckedRow<Field, Row>>[];
  /** Lines of the rows that have a remark in the outcome columns. */
  remarked?: readonly number[];
};

const views = ['all', 'errors', 'doubts', 'remarked'] as const;
type View = (typeof views)[number];
const viewNames: Record<View, string> = { all: '전체', errors: '오류', doubts: '확인', remarked: '비교' };
const NONE: readonly never[] = [];

function isSeen(
  view: View,
  { line, errors, doubts }: CheckedRow<string, unknown>,
  remarked: readonly number[],
) {
  if (view === 'remarked') return remarked.includes(line);
  return view === 'all' || (view === 'errors' ? errors : doubts).length > 0;
}

/** Shows every row with every field. The user can correct cells in place, tick rows and leave rows out. */
export function CheckTable<Field extends string, Row>({
  check,
  caption,
  isStale = false,
  outcome = NONE,
  remarked = NONE,
}: Props<Field, Row>) {
  const id = useId();
  const [view, setView] = useState<View>('all');
  const { kind, rows = NONE, left, leave, correct, columns } = check;
  const counts = useMemo(() => ({ ...countsOf(rows), remarked: remarked.length }), [rows, remarked]);
  // If the last row of a view has been corrected, the view is empty, and all rows are shown instead.
  const seen = counts[view] === 0 ? 'all' : view;
  const shown = useMemo(() => rows.filter((row) => isSeen(seen, row, remarked)), [rows, seen, remarked]);
  const hasFlags = counts.errors + counts.doubts > 0;
  // The outcome comes first, because a bank statement is so wide that it would hide columns at the end.
  const tableColumns = useMemo(
    () => [
      tickColumn<Field, Row>({ left, leave }),
      lineColumn,
      ...outcome.map((column) => ({
        ...column,
        className: cn(column.className, 'grow basis-56'),
      })),
      ...(hasFlags ? [flagColumn<Field, Row>({ kind, id, correct })] : []),
      ...fieldColumns({ kind, columns, id, correct }),
    ],
    [left, leave, outcome, kind, columns, id, correct, hasFlags],
  );
  const ready = useMemo(() => rows.flatMap(({ line, row }) => (row === undefined ? [] : [line])), [rows]);
  const unread = useMemo(() => {
    const isRead = (field: Field | undefined) =>
      kind.fields.some(({ name, areValuesShown }) => name === field && areValuesShown !== true);
    const open = columns.columns.filter(({ field }) => !isRead(field));
    const asked = open.map(({ at, label, field }) => ({ at, label, isStatus: field !== undefined }));
    const isRecord = ({ line, errors }: CheckedRow<Field, Row>) => {
      const cells = check.table[columns.headerAt + line] ?? [];
      const isHeader = columns.columns.filter(({ at, label }) => cells[at] === label).length > 1;
      const isTitle = cells.filter((cell) => cell !== '').length < 2;
      return !isHeader && !isTitle && errors[0]?.reason !== TOTALS_ROW_TEXT;
    };
    const lines = rows.filter(isRecord).map(({ line }) => line);
    return columnValues(check.table, asked, lines, columns.headerAt);
  }, [check.table, kind, columns, rows]);
  return (
    <>
      <ColumnValuesPart columns={unread} left={left} onLeave={leave} />
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">표시할 행</legend>
          {views.map(
            (each) =>
              (each === 'all' || counts[each] > 0) && (
                <Button
                  key={each}
                  variant={each === seen ? 'outline' : 'ghost'}
                  size="sm"
                  aria-pressed={each === seen}
                  onClick={() => setView(each)}
                >
                  {viewNames[each]} {counts[each]}
                </Button>
              ),
          )}
        </fieldset>
        <div className="flex flex-wrap gap-2">
          {counts.repairs > 0 && (
            <Button variant="outline" size="sm" onClick={check.repairAll}>
              제안 {counts.repairs}개 모두 반영
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={() => leave(ready, left.size === 0)}>
            {left.size === 0 ? '모두 제외' : '모두 포함'}
          </Button>
          <StepButton label="되돌리기" step={check.undoName} onStep={check.undo} />
          <StepButton label="다시 하기" step={check.redoName} onStep={check.redo} />
        </div>
        <p className="text-sm text-ink-soft">칸을 눌러 고칩니다. ‘확인’ 값은 고치지 않아도 저장됩니다.</p>
      </div>
      <div data-flowing>
        <DataTable
          caption={caption}
          columns={tableColumns}
          rows={shown}
          rowKey={lineOf}
          emptyText=""
          isStale={isStale}
          pageKey={seen}
        />
      </div>
    </>
  );
}

type FootProps = {
  label: string;
  /** Says what is missing before the rows can be stored; shown beside the button, which is disabled then. */
  waitsFor: string | undefined;
  isBusy: boolean;
  onStore: (from: HTMLElement) => void;
  onCancel?: () => void;
  children?: ReactNode;
};

/** The buttons of the last step, which stay visible while the rows scroll. */
export function ImportFoot({ label, waitsFor, isBusy, onStore, onCancel, children }: FootProps) {
  const id = useId();
  return (
    <div
      data-sticky-foot
      className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-paper py-3"
    >
      {children}
      <Button
        disabled={waitsFor !== undefined}
        aria-disabled={isBusy}
        aria-describedby={waitsFor === undefined ? undefined : id}
        onClick={({ currentTarget }) => !isBusy && onStore(currentTarget)}
      >
        {label}
      </Button>
      {onCancel && (
        <Button variant="outline" aria-disabled={isBusy} onClick={() => !isBusy && onCancel()}>
          취소
        </Button>
      )}
      {waitsFor !== undefined && (
        <p id={id} className="text-sm wrap-anywhere text-ink-soft">
          {waitsFor}
        </p>
      )}
    </div>
  );
}

const lineOf = ({ line }: { line: number }) => line;

function countsOf(rows: readonly CheckedRow<string, unknown>[]) {
  const counts = { all: rows.length, errors: 0, doubts: 0, repairs: 0 };
  for (const { errors, doubts } of rows) {
    if (errors.length > 0) counts.errors += 1;
    if (doubts.length > 0) counts.doubts += 1;
    for (const { repair } of [...errors, ...doubts]) if (repair !== undefined) counts.repairs += 1;
  }
  return counts;
}

const lineColumn = {
  key: 'line',
  header: '행',
  align: 'end',
  width: '4%',
  className: 'text-ink-soft',
  cell: ({ line }: { line: number }) => line,
} as const;

function tickColumn<Field extends string, Row>({
  left,
  leave,
}: Pick<CheckedTable<Field, Row>, 'left' | 'leave'>): Column<CheckedRow<Field, Row>> {
  return {
    key: 'tick',
    header: '포함',
    width: '4%',
    cell: ({ line, row }) => (
      <label className="flex min-h-9 min-w-6 cursor-pointer items-center">
        <input
          type="checkbox"
          aria-label={`${line}행 포함`}
          disabled={row === undefined}
          checked={row !== undefined && !left.has(line)}
          onChange={({ target }) => leave([line], !target.checked)}
          className="size-4 accent-accent"
        />
      </label>
    ),
  };
}

type Fields<Field extends string, Row> = Pick<CheckedTable<Field, Row>, 'columns' | 'correct'> & {
  kind: ImportKind<Field, Row>;
  id: string;
};

/** Makes the columns of the fields. Fields that the table lacks are hidden, unless `isShown` is set. */
function fieldColumns<Field extends string, Row>({
  kind,
  columns,
  id,
  correct,
}: Fields<Field, Row>): Column<CheckedRow<Field, Row>>[] {
  const given = kind.fields.filter(
    ({ name, isShown }) => isShown || columns.columns.some(({ field }) => field === name),
  );
  return given.map(({ name, label, isRowHeader, align, width, maxLength }) => ({
    key: name,
    header: label,
    width,
    isRowHeader,
    align,
    className: 'basis-36 wrap-anywhere',
    cell: ({ line, cells, errors, doubts }) => {
      const isWrong = errors.some(({ field }) => field === name);
      const isDoubtful = doubts.some(({ field }) => field === name);
      return (
        <>
          <span data-aside aria-hidden className="block text-xs text-ink-soft sm:hidden">
            {label}
          </span>
          <EditableCell
            name={`${line}행 ${label}`}
            text={cells[name] ?? ''}
            maxLength={maxLength}
            tone={isWrong ? 'danger' : isDoubtful ? 'notice' : undefined}
            noteId={isWrong || isDoubtful ? `${id}-${line}` : undefined}
            onCorrect={(text) => correct(line, name, text)}
          />
        </>
      );
    },
  }));
}

function flagColumn<Field extends string, Row>({
  kind,
  id,
  correct,
}: Omit<Fields<Field, Row>, 'columns'>): Column<CheckedRow<Field, Row>> {
  return {
    key: 'flags',
    header: '확인',
    width: '18%',
    className: 'min-w-56 basis-full wrap-anywhere',
    cell: (row) => <FlagList id={`${id}-${row.line}`} row={row} fields={kind.fields} onCorrect={correct} />,
  };
}

type FlagListProps<Field extends string> = {
  id: string;
  row: CheckedRow<Field, unknown>;
  fields: readonly ImportField<Field>[];
  onCorrect: (line: number, field: Field, text: string) => void;
};

/** The errors and doubts of a row, with suggested corrections. */
function FlagList<Field extends string>({ id, row, fields, onCorrect }: FlagListProps<Field>) {
  const { line, errors, doubts } = row;
  if (errors.length + doubts.length === 0) return null;
  const item = (flag: RowFlag<Field>, isError: boolean) => {
    const { field, reason, repair } = flag;
    const label = fields.find(({ name }) => name === field)?.label;
    return (
      <li
        key={`${field} ${reason}`}
        className={`flex flex-wrap items-center gap-x-2 ${isError ? 'text-danger' : 'text-notice'}`}
      >
        {isError || label === undefined ? reason : `${label}: ${reason}`}
        {field !== undefined && repair !== undefined && (
          <Button
            variant="outline"
            size="sm"
            aria-label={`${line}행 ${label} ${repair}로 변경`}
            onClick={() => onCorrect(line, field, repair)}
          >
            {repair}
          </Button>
        )}
      </li>
    );
  };
  return (
    <ul id={id} className="space-y-1">
      {errors.map((flag) => item(flag, true))}
      {doubts.map((flag) => item(flag, false))}
    </ul>
  );
}
