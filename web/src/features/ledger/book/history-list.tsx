import type { BookedEntry } from '#contract/ledger';
import { useQuery } from '@tanstack/react-query';
import { MissingPart } from '../../../components/part-state.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { historyQuery } from '../queries.ts';
import { historySteps } from './history-steps.ts';

/** Who has corrected an entry when, and what it was before. */
export function HistoryList({ entry }: { entry: BookedEntry }) {
  const history = useQuery(historyQuery(entry.id));
  if (!history.data)
    return <MissingPart of={history} text="수정 이력을 불러오지 못했습니다." rows={3} className="h-12" />;
  return (
    <ol className="mt-4 divide-y divide-line border-y border-line text-sm tabular-nums">
      {historySteps(entry, history.data).map(
        ({ version, replaced_at, replaced_by: { id, name }, changes }) => (
          <li key={version} className="py-3">
            <p className="text-ink-soft">
              {seoulDateTime(Date.parse(replaced_at))} · {name ?? `삭제된 사용자 (사용자 번호 ${id})`}
            </p>
            <dl className="mt-1 space-y-0.5">
              {changes.map(({ label, from, to }) => (
                <div key={label} className="flex flex-wrap gap-x-2">
                  <dt className="w-10 shrink-0 text-ink-soft">{label}</dt>
                  <dd className="wrap-anywhere">
                    <del>{from}</del> → <ins className="font-semibold">{to}</ins>
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ),
      )}
    </ol>
  );
}
