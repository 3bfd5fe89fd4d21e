import { useId } from 'react';
import { SelectField } from '../select-field.tsx';
import { Button } from '../ui/button.tsx';
import type { CheckedTable } from './use-checked-table.ts';

const NONE = '-';

/** Shows each column's field and problem. The user can assign a column to a field or leave it out. */
export function ColumnChoice<Field extends string, Row>({ check }: { check: CheckedTable<Field, Row> }) {
  const id = useId();
  const { kind, columns, isSettled } = check;
  const { missing, notes } = columns;
  const problem = check.tableProblem;
  const required = missing.filter(({ presence }) => presence === 'required').map(({ label }) => label);
  const unused = columns.columns.filter(({ field }) => field === undefined);
  if (columns.columns.length === 0) return null;
  const used = columns.columns.length - unused.length;
  const leftOut = unused.map(({ label }) => label).join(', ');
  return (
    <section aria-labelledby={id} className="mt-3">
      <h3 id={id} className="sr-only">
        열
      </h3>
      {problem !== undefined && (
        <p role="alert" className="mb-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {problem}
        </p>
      )}
      {!isSettled && notes.length > 0 && (
        <div className="mb-3 rounded-md bg-notice-wash px-4 py-3 wrap-anywhere text-notice">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      <details open={!isSettled} className="rounded-md border border-line">
        <summary className="min-h-10 cursor-pointer px-4 py-2 text-sm text-ink-soft">
          {isSettled && notes.length > 0 && <span className="text-notice">{notes.join('. ')}. </span>}열{' '}
          {columns.columns.length}개 중 {used}개를 사용합니다
          {isSettled && leftOut !== '' && ` (제외: ${leftOut})`}. 열 변경
        </summary>
        <ul className="grid gap-3 px-4 pb-4 sm:grid-cols-2 lg:grid-cols-4">
          {columns.columns.map(({ at, label, field }) => (
            <li key={at}>
              <SelectField<Field | typeof NONE>
                label={label}
                size="sm"
                options={[
                  { value: NONE, label: '사용 안 함' },
                  ...kind.fields.map(({ name, label }) => ({ value: name, label })),
                ]}
                value={field ?? NONE}
                onChange={(next) => check.chooseColumn(at, next === NONE ? null : next)}
              />
              <p className="mt-1 truncate text-sm text-ink-soft">{sampleOf(check, at)}</p>
            </li>
          ))}
        </ul>
        {columns.headerAt <= 0 && (
          <label className="flex min-h-9 items-center gap-2 px-4 pb-3 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={columns.headerAt === -1}
              onChange={({ target }) => check.setHeaderless(target.checked)}
            />
            첫 행도 데이터입니다 (머리글 없음)
          </label>
        )}
      </details>
      {!isSettled && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          {required.length > 0 ? (
            <p>{required.join(', ')} 열을 선택해야 계속할 수 있습니다.</p>
          ) : (
            <Button variant="outline" onClick={check.goOnWithoutMissing}>
              없는 열은 비워 두고 계속
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function sampleOf(
  { table, columns }: Pick<CheckedTable<string, unknown>, 'table' | 'columns'>,
  column: number,
): string {
  const row = table.slice(columns.headerAt + 1).find((cells) => (cells[column] ?? '') !== '');
  return row?.[column] ?? '빈 열';
}
