import { isPlanned, type EntryWithBalance } from '#contract/ledger';
import { termText, type Term } from '#contract/terms';
import { seoulDay } from '#contract/time';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { EmptyPart, LoadingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Button } from '../../../components/ui/button.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { entryFilterToSearchParams, NO_ENTRY_FILTER } from '../book/entry-filter.ts';
import { categoryText, signedWonText, wonText } from '../labels.ts';
import {
  balancesByDay,
  monthOf,
  termStatement,
  termKey,
  termOf,
  totalsBy,
  totalsByCategory,
  type PeriodTotal,
} from '../totals.ts';
import { ledgerCsv } from './ledger-csv.ts';
import { StatementSheet } from './statement-sheet.tsx';

/** The chart is loaded on demand, because only this tab needs the chart's package. */
const BalanceChart = lazyPart(async () => (await import('./balance-chart.tsx')).BalanceChart, {
  pending: <LoadingPart rows={1} className="h-72" />,
  crashClassName: 'min-h-72',
});

export function ReportTab({ entries }: { entries: EntryWithBalance[] }) {
  const terms = useMemo(
    () => [...new Map(entries.map((entry) => [termKey(termOf(entry)), termOf(entry)])).values()],
    [entries],
  );
  const [today] = useState(() => seoulDay(serverNow()));
  const newest = entries.find((entry) => !isPlanned(entry, today)) ?? entries[0];
  if (!newest) return <EmptyPart text="내역이 없습니다. 내역이 생기면 통계와 결산이 여기에 나타납니다." />;
  return <Report entries={entries} today={today} terms={terms} newest={termOf(newest)} />;
}

type Props = {
  entries: EntryWithBalance[];
  today: string;
  /** The semesters, newest first. */
  terms: Term[];
  /** The newest semester that is not entirely in the future. */
  newest: Term;
};

function Report({ entries, today, terms, newest }: Props) {
  const [key, setKey] = useState(termKey(newest));
  const term = terms.find((each) => termKey(each) === key) ?? newest;
  const days = useMemo(() => balancesByDay(entries), [entries]);
  const months = useMemo(() => totalsBy(entries, today, monthOf), [entries, today]);
  const semesters = useMemo(
    () => totalsBy(entries, today, (entry) => termKey(termOf(entry))),
    [entries, today],
  );
  const categories = useMemo(() => totalsByCategory(entries, today), [entries, today]);
  const statement = useMemo(() => termStatement(entries, today, term), [entries, today, term]);
  const save = (name: string, rows: readonly EntryWithBalance[]) => {
    saveFile(name, 'text/csv;charset=utf-8', ledgerCsv(rows, today));
    showToast('내보내기 완료');
  };
  return (
    <>
      <div className="space-y-10 print:hidden">
        <section>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
            <h2 id="balance-chart" className="text-lg font-bold">
              잔액 변화
            </h2>
            <Button variant="outline" size="sm" onClick={() => save('랩비 내역.csv', entries)}>
              전체 CSV 저장
            </Button>
          </div>
          <BalanceChart days={days} today={today} labelledBy="balance-chart" />
        </section>
        <div className="grid gap-10 lg:grid-cols-2">
          <TotalsTable caption="학기별 합계" by="period" totals={semesters} nameOf={semesterName} />
          <TotalsTable caption="월별 합계" by="period" totals={months} nameOf={monthName} />
          <TotalsTable caption="분류별 합계" by="category" totals={categories} nameOf={categoryLink} />
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            className="w-44"
            label="결산할 학기"
            options={terms.map((each) => ({ value: termKey(each), label: termText(each) }))}
            value={termKey(term)}
            onChange={setKey}
          />
          <Button variant="outline" onClick={() => print()}>
            인쇄
          </Button>
          <Button
            variant="outline"
            onClick={() => save(`랩비 결산 ${termText(term)}.csv`, statement.entries.toReversed())}
          >
            CSV 저장
          </Button>
        </div>
      </div>
      <StatementSheet statement={statement} today={today} />
    </>
  );
}

const monthName = (month: string) => month.replace('-', '.');

function categoryLink(category: string) {
  return (
    <Link to="." search={entryFilterToSearchParams({ ...NO_ENTRY_FILTER, category })} className="text-link">
      {categoryText(category)}
    </Link>
  );
}

function semesterName(key: string): string {
  const [year, semester] = key.split('-');
  return termText({ year: Number(year), semester: Number(semester) });
}

/** The total of one period or category, with its key and its shown name. */
type TotalRow = PeriodTotal & { key: string; name: ReactNode };

const countText = ({ count, planned }: TotalRow) => (planned === 0 ? count : `${count} (예정 ${planned})`);

const amount = { align: 'end', className: 'whitespace-nowrap' } as const;
const sums: readonly Column<TotalRow>[] = [
  { key: 'count', header: '건수', width: '12%', align: 'end', cell: countText },
  { key: 'income', header: '입금', width: '22%', ...amount, cell: ({ income }) => signedWonText(income) },
  { key: 'expense', header: '출금', width: '22%', ...amount, cell: ({ expense }) => signedWonText(-expense) },
];

const name = (header: string, className: string): Column<TotalRow> => ({
  key: 'name',
  header,
  width: '22%',
  isRowHeader: true,
  className,
  cell: (row) => row.name,
});

const columns: Record<'period' | 'category', readonly Column<TotalRow>[]> = {
  period: [
    name('기간', 'whitespace-nowrap'),
    ...sums,
    {
      key: 'balance',
      header: '기말 잔액',
      width: '22%',
      ...amount,
      className: 'whitespace-nowrap font-semibold',
      cell: ({ balance }) => wonText(balance),
    },
  ],
  category: [name('분류', 'min-w-28 wrap-anywhere'), ...sums],
};

const rowKey = ({ key }: TotalRow) => `=${key}`;

type TotalsTableProps = {
  caption: string;
  by: keyof typeof columns;
  totals: Iterable<readonly [string, PeriodTotal]>;
  /** Every render must pass the same function, or the rows are computed again. */
  nameOf: (key: string) => ReactNode;
};

/** Shows totals by period or by category, in the order of `totals`. */
function TotalsTable({ caption, by, totals, nameOf }: TotalsTableProps) {
  const rows = useMemo(
    () => Array.from(totals, ([key, total]) => Object.assign({ key, name: nameOf(key) }, total)),
    [totals, nameOf],
  );
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-lg font-bold">{caption}</h2>
      <DataTable
        caption={caption}
        columns={columns[by]}
        rows={rows}
        rowKey={rowKey}
        emptyText=""
        pageKey={caption}
      />
    </section>
  );
}
