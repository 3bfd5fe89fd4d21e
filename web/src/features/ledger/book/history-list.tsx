import {
  ENTRY_TEXT_FIELDS,
  ENTRY_TEXTS,
  type BookedEntry,
  type EarlierEntry,
  type LedgerEntryForm,
} from '#contract/ledger';
import { useQuery } from '@tanstack/react-query';
import { MissingPart } from '../../../components/part-state.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { dayText, signedText } from '../labels.ts';
import { historyQuery } from '../queries.ts';

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

type Change = { label: string; from: string; to: string };
/** One correction. */
type HistoryStep = Pick<EarlierEntry, 'version' | 'replaced_at' | 'replaced_by'> & { changes: Change[] };

const NOTHING = '없음';

/** What each correction changed, the newest first. @param earlier newest first */
function historySteps(now: LedgerEntryForm, earlier: readonly EarlierEntry[]): HistoryStep[] {
  return earlier.map((before, at) => {
    const after = earlier[at - 1] ?? now;
    const { version, replaced_at, replaced_by } = before;
    return { version, replaced_at, replaced_by, changes: changesOf(before, after) };
  });
}

function changesOf(before: LedgerEntryForm, after: LedgerEntryForm): Change[] {
  const [old, now] = [shown(before), shown(after)];
  return old.flatMap(({ label, text: from }, at) => {
    const to = now[at]?.text ?? from;
    return from === to ? [] : [{ label, from, to }];
  });
}

const shown = (entry: LedgerEntryForm) => [
  { label: '날짜', text: dayText(entry.datetime) },
  { label: '금액', text: signedText(entry.amount) },
  ...ENTRY_TEXTS.map((name) => ({ label: ENTRY_TEXT_FIELDS[name].label, text: entry[name] || NOTHING })),
];
