import { ENTRY_TEXT_FIELDS, ENTRY_TEXTS, isPlanned } from '#contract/ledger';
import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import type { Twin } from './import-plan.ts';
import type { PastedRow } from './ledger-paste.ts';
import { dateMark, dayText, descriptionText, signedText, typeLabels } from '../labels.ts';
import { DateMark, Description } from '../book/entry-marks.tsx';

type Props = {
  rows: PastedRow[];
  today: string;
  twins: ReadonlyMap<number, Twin>;
  /** Lines that will be added. */
  chosen: ReadonlySet<number>;
  onFlip: (line: number) => void;
};

const lineOf = ({ line }: PastedRow) => line;

/** What will be posted. Likely duplicates of stored entries are marked, and exact ones start unticked. */
export function ImportPreview({ rows, today, twins, chosen, onFlip }: Props) {
  const columns = useMemo(() => columnsFor({ today, twins, chosen, onFlip }), [today, twins, chosen, onFlip]);
  const planned = rows.filter(
    ({ line, entry }) => entry && chosen.has(line) && isPlanned(entry, today),
  ).length;
  const sum = rows.reduce(
    (all, { line, entry }) => (entry && chosen.has(line) ? all + BigInt(entry.amount) : all),
    0n,
  );
  return (
    <section aria-label="미리보기">
      <p aria-live="polite" className="mb-3 text-sm tabular-nums">
        {rows.length}행 중 {chosen.size}건을 추가합니다. 합계 {signedText(sum)}
        {planned > 0 && (
          <span className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 font-semibold text-notice">
            아직 오지 않은 날짜 {planned}건
          </span>
        )}
        {twins.size > 0 && (
          <span className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 font-semibold text-notice">
            중복 의심 {twins.size}건
          </span>
        )}
      </p>
      <DataTable
        caption="가져올 내역"
        columns={columns}
        rows={rows}
        rowKey={lineOf}
        emptyText=""
        pageKey="import"
      />
    </section>
  );
}

function columnsFor({ today, twins, chosen, onFlip }: Omit<Props, 'rows'>): Column<PastedRow>[] {
  return [
    {
      key: 'chosen',
      header: '추가',
      width: '7%',
      cell: ({ line, entry }) => (
        <label className="flex min-h-9 cursor-pointer items-center">
          <input
            type="checkbox"
            aria-label={`${line}행 ${descriptionText(entry?.description ?? '')} 추가`}
            checked={chosen.has(line)}
            onChange={() => onFlip(line)}
            className="size-4 accent-accent"
          />
        </label>
      ),
    },
    { key: 'line', header: '행', width: '7%', align: 'end', cell: ({ line }) => line },
    {
      key: 'date',
      header: '날짜',
      width: '13%',
      className: 'whitespace-nowrap',
      cell: ({ entry }) =>
        entry && (
          <>
            {dayText(entry.datetime)} <DateMark mark={dateMark(entry, today)} />
          </>
        ),
    },
    ...ENTRY_TEXTS.map((name) => ({
      key: name,
      header: ENTRY_TEXT_FIELDS[name].label,
      width: `${30 / ENTRY_TEXTS.length}%`,
      isRowHeader: name === 'description',
      className: 'min-w-28 wrap-anywhere',
      cell: ({ entry }: PastedRow) => entry && <Description text={entry[name]} />,
    })),
    {
      key: 'amount',
      header: '금액',
      width: '18%',
      align: 'end',
      className: 'whitespace-nowrap',
      cell: ({ entry }) =>
        entry && `${typeLabels[entry.amount > 0 ? 'deposit' : 'withdraw']} ${signedText(entry.amount)}`,
    },
    {
      key: 'twin',
      header: '확인',
      width: '25%',
      className: 'min-w-28 wrap-anywhere',
      cell: ({ line }) => <TwinMark twin={twins.get(line)} />,
    },
  ];
}

function TwinMark({ twin }: { twin: Twin | undefined }) {
  if (!twin) return null;
  return (
    <span className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice">
      {twin.likeness === 'same' ? '이미 있음' : '비슷한 내역'}: {descriptionText(twin.entry.description)}
    </span>
  );
}
