import { memo, useId, useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { hasContent, type PastedTable } from '../../../lib/paste-table.ts';
import { suggestedWeighting } from '../weights/weighting-offer.ts';
import { type ChangeWork, withWeighting } from '../work.ts';
import { columnName, type ColumnMapping } from './class-list.ts';
import { withColumn } from './columns.ts';
import type { ScoreCandidate } from './score-candidates.ts';

type Props = {
  table: PastedTable;
  mapping: ColumnMapping;
  candidates: readonly ScoreCandidate[];
  change: ChangeWork;
  /** Called when a column is chosen, before the buttons disappear. */
  onAnswer: () => void;
};

const CHOICE =
  'max-w-full rounded-md border px-4 py-2 text-left leading-snug text-ink transition-colors hover:border-accent hover:text-accent';

/** Asks which column to grade if this is unclear. There are no grades before the answer. */
export const ScoreQuestion = memo(function ScoreQuestion({
  table,
  mapping,
  candidates,
  change,
  onAnswer,
}: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="space-y-6">
      <div className="rounded-md bg-notice-wash px-4 py-4 text-notice" aria-live="polite">
        <h2 id={id} className="font-bold">
          어느 열로 학점을 매길까요?
        </h2>
        <p>{whyAsked(candidates)} 고를 때까지 학점을 매기지 않습니다.</p>
        <div className="mt-3 flex flex-wrap gap-2">
          {candidates.map((candidate) => (
            <button
              key={candidate.column}
              type="button"
              onClick={() => {
                onAnswer();
                change('점수 열 선택', (work) => withColumn(work, 'score', candidate.column));
              }}
              className={`${CHOICE} border-line-strong bg-surface`}
            >
              <strong className="block font-semibold wrap-anywhere">
                {columnName(table, mapping, candidate.column)}
              </strong>
              <span className="text-sm text-ink-soft tabular-nums">{contentOf(candidate)}</span>
            </button>
          ))}
          {candidates.length > 1 && (
            <button
              type="button"
              onClick={() => {
                onAnswer();
                change('반영 비율로 합산', (work) => withWeighting(work, suggestedWeighting(table, mapping)));
              }}
              className={`${CHOICE} border-accent bg-accent-wash`}
            >
              <strong className="block font-semibold">반영 비율로 합산</strong>
              <span className="text-sm text-ink-soft">열마다 만점과 비율(%)을 정합니다</span>
            </button>
          )}
        </div>
      </div>
      <PastedRows table={table} mapping={mapping} />
    </section>
  );
});

function whyAsked(candidates: readonly ScoreCandidate[]): string {
  if (candidates.length === 1) return '점수일 수 있는 열이 하나 있지만 총점이 아닐 수도 있습니다.';
  const totals = candidates.filter(({ isTotal }) => isTotal).length;
  if (totals > 1) return `총점으로 볼 열이 ${totals}개입니다.`;
  if (totals === 1) return '총점 열이 비어 있습니다.';
  return `점수일 수 있는 열이 ${candidates.length}개이고, 어느 것이 총점인지 분명하지 않습니다.`;
}

function contentOf({ numbers, isPercent, isSum }: ScoreCandidate): string {
  if (numbers.length === 0) return '숫자 없음';
  const lowest = numbers.reduce((least, value) => Math.min(least, value));
  const highest = numbers.reduce((most, value) => Math.max(most, value));
  const unit = isPercent ? '%' : '점';
  const range = lowest === highest ? `${lowest}${unit}` : `${lowest}~${highest}${unit}`;
  return `${range} · ${numbers.length.toLocaleString()}명${isSum ? ' · 나머지 열의 합' : ''}`;
}

type PastedRow = { row: number; cells: readonly string[] };

const rowKey = ({ row }: PastedRow) => row;

/** Shows the pasted rows, so that the user can choose the column. */
function PastedRows({ table, mapping }: Pick<Props, 'table' | 'mapping'>) {
  const columns = useMemo(() => {
    const width = table.reduce((most, row) => Math.max(most, row.length), 0);
    const share = `${100 / (width + 1)}%`;
    return [
      { key: 'no', header: '행', align: 'end', width: share, cell: ({ row }) => row + 1 },
      ...Array.from({ length: width }, (_, column): Column<PastedRow> => ({
        key: String(column),
        header: columnName(table, mapping, column),
        width: share,
        isRowHeader: column === mapping.columns.name,
        className: 'whitespace-nowrap',
        cell: ({ cells }) => cells[column] ?? '',
      })),
    ] satisfies Column<PastedRow>[];
  }, [table, mapping]);
  const rows = useMemo(() => {
    const start = mapping.header === undefined ? 0 : mapping.header + 1;
    return table.flatMap((cells, row) => (row < start || !hasContent(cells) ? [] : [{ row, cells }]));
  }, [table, mapping]);
  return (
    <DataTable
      caption="붙여넣은 표"
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      emptyText=""
      pageKey="pasted"
    />
  );
}
