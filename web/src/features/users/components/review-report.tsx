import type { AccessLogEntry } from '#contract/access-log';
import type { ActorSummary, LogReport, UnusualAccess } from '#contract/log-reviews';
import type { ComponentProps } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import {
  actorName,
  countText,
  dayText,
  detailText,
  monthText,
  reviewStateText,
  subjectName,
  unusualAccessLabels,
  unusualAccessText,
} from '../labels.ts';

const nameOf = ({ actor, address }: ActorSummary) => actorName({ actor, address: address ?? '' });

const actorColumns: Column<ActorSummary>[] = [
  { key: 'actor', header: '처리자', isRowHeader: true, className: 'min-w-32 wrap-anywhere', cell: nameOf },
  { key: 'reads', header: '조회', align: 'end', cell: ({ reads }) => countText(reads) },
  { key: 'changes', header: '등록·변경·삭제', align: 'end', cell: ({ changes }) => countText(changes) },
  { key: 'exports', header: '내보내기', align: 'end', cell: ({ exports }) => countText(exports) },
  { key: 'records', header: '처리한 건수', align: 'end', cell: ({ records }) => countText(records) },
  { key: 'addresses', header: '접속 IP 수', align: 'end', cell: ({ addresses }) => countText(addresses) },
];

const exportColumns: Column<AccessLogEntry>[] = [
  {
    key: 'at',
    header: '내보낸 시각',
    isRowHeader: true,
    className: 'whitespace-nowrap',
    cell: ({ at }) => seoulDateTime(Date.parse(at)),
  },
  { key: 'actor', header: '처리자', className: 'min-w-28 wrap-anywhere', cell: actorName },
  { key: 'address', header: '접속 IP', cell: ({ address }) => address },
  { key: 'subject', header: '정보주체', className: 'min-w-28 wrap-anywhere', cell: subjectName },
  {
    key: 'detail',
    header: '내용',
    className: 'min-w-56 wrap-anywhere',
    cell: ({ detail }) => detailText(detail),
  },
];

const unusualColumns: Column<UnusualAccess>[] = [
  { key: 'day', header: '날짜', isRowHeader: true, cell: ({ day }) => dayText(day) },
  { key: 'actor', header: '처리자', cell: ({ actor }) => actorName({ actor, address: '' }) },
  { key: 'kind', header: '종류', cell: ({ kind }) => unusualAccessLabels[kind] },
  { key: 'text', header: '내용', className: 'min-w-56 wrap-anywhere', cell: unusualAccessText },
];

const actorKey = ({ actor, address }: ActorSummary) => actor?.id ?? `${address}`;
const exportKey = ({ id }: AccessLogEntry) => id;
const unusualKey = (unusual: UnusualAccess) =>
  `${unusual.kind} ${unusual.day} ${unusual.actor?.id} ${unusual.kind === 'address' ? unusual.address : ''}`;

/** A month's report. On A4 paper the print stylesheet hides the rest of the page. */
export function ReviewReport({ report }: { report: LogReport }) {
  const { month, entries, actors, exports, restores, unusual, review } = report;
  return (
    <article
      data-printed
      aria-label={`${monthText(month)} 접속 기록 점검`}
      className="space-y-8 tabular-nums"
    >
      <div>
        <h2 className="text-xl font-bold">{monthText(month)} 접속 기록 점검</h2>
        <p className="mt-1 text-sm text-ink-soft">
          기록 {entries}건 · 내보내기 {exports.length}건 · 확인할 항목 {unusual.length}건
        </p>
        <p className="mt-3 rounded-md border border-line bg-sunken px-4 py-3">
          {review === null
            ? reviewStateText(report)
            : `${seoulDateTime(Date.parse(review.at))} · ${actorName({ actor: review.reviewer, address: '' })} 점검`}
          {review && <span className="mt-1 block wrap-anywhere">{review.remark}</span>}
        </p>
        {restores.length > 0 && (
          <div className="mt-3 rounded-md bg-notice-wash px-4 py-3 wrap-anywhere">
            <p className="font-semibold text-notice">백업 복원으로 이 달의 기록이나 점검이 바뀌었습니다.</p>
            <ul className="mt-1 list-disc pl-5">
              {restores.map(({ id, at, detail }) => (
                <li key={id}>
                  {seoulDateTime(Date.parse(at))} · {detailText(detail)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <Part
        caption="확인할 항목"
        columns={unusualColumns}
        rows={unusual}
        rowKey={unusualKey}
        emptyText="건수, 시간대, 접속 IP가 평소와 다른 기록이 없습니다."
      />
      <Part
        caption="사람별 건수"
        columns={actorColumns}
        rows={actors}
        rowKey={actorKey}
        emptyText="기록이 없습니다."
      />
      <Part
        caption="내보내기와 사유"
        columns={exportColumns}
        rows={exports}
        rowKey={exportKey}
        emptyText="내보낸 기록이 없습니다."
      />
    </article>
  );
}

function Part<Row>(table: ComponentProps<typeof DataTable<Row>>) {
  return (
    <section>
      <h3 className="mb-3 text-lg font-bold">{table.caption}</h3>
      <DataTable {...table} />
    </section>
  );
}
