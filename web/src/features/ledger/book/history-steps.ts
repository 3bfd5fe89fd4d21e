import { ENTRY_TEXT_FIELDS, ENTRY_TEXTS, type EarlierEntry, type LedgerEntryForm } from '#contract/ledger';
import { dayText, signedText } from '../labels.ts';

type Change = { label: string; from: string; to: string };
/** One correction. */
type HistoryStep = Pick<EarlierEntry, 'version' | 'replaced_at' | 'replaced_by'> & { changes: Change[] };

const NOTHING = '없음';

/** What each correction changed, the newest first. @param earlier newest first */
export function historySteps(now: LedgerEntryForm, earlier: readonly EarlierEntry[]): HistoryStep[] {
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
