import { isPlanned, type EntryWithBalance, type LedgerEntryForm, type OriginalEntry } from '#contract/ledger';
import { seoulDay } from '#contract/time';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { CheckTable, ImportFoot } from '../../../components/import/check-table.tsx';
import { TOTALS_ROW_TEXT } from '../../../components/import/checked-rows.ts';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import { chosenRows, excludedLines, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import type { InputTable } from '../../../components/import/use-table-input.ts';
import { Button } from '../../../components/ui/button.tsx';
import { useLoginState } from '../../../lib/login-state.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { categorySuggester, categorizedNames } from '../book/categories.ts';
import { signedWonText, wonText } from '../labels.ts';
import { entriesQuery, originalEntriesQuery } from '../queries.ts';
import { findDuplicates, missingEntries, oldestFirst, storedLines } from './import-plan.ts';
import { joinDateColumns } from './date-columns.ts';
import { checkStatement, notesBeside } from './statement-checks.ts';
import { remarkColumns } from './remark-columns.tsx';
import { CountNotice, MissingEntries, SignNotices } from './statement-notices.tsx';
import { StatementQuestions, useStatementKind } from './statement-questions.tsx';
import { qualifiedLabels, rememberColumns, rememberedColumns } from './statement-columns.ts';
import { withoutItems } from '../../../lib/collections.ts';

type Props = {
  table: InputTable;
  entries: EntryWithBalance[];
  yearText: string;
  onYear: (text: string) => void;
  isBusy: boolean;
  /** @param check returns the entries to store, or undefined if the user has to look at the table again */
  onStart: (check: () => Promise<LedgerEntryForm[] | undefined>) => void;
};

const NONE: readonly OriginalEntry[] = [];

/** The user has pressed a button and waits, so the request is sent again, and fails at once when offline. */
const atOnce = { staleTime: 0, retry: false, networkMode: 'always' } as const;

/** Name of the checkbox that leaves out unreadable rows. */
const PARTIAL = 'partial';

/** Shows how the table was understood and what will be added. */
export function CheckStep({ table: given, entries, yearText, onYear, isBusy, onStart }: Props) {
  const { id: userId } = useLoginState();
  const [today] = useState(() => seoulDay(serverNow()));
  const table = useMemo(() => joinDateColumns(given.rows), [given.rows]);
  const client = useQueryClient();
  const { data: originals = NONE } = useQuery(originalEntriesQuery);
  const [repeated, setRepeated] = useState(0);
  const { mergedNumbers } = given.remarks;
  const [remembered] = useState(() => rememberedColumns(userId, table));
  const asked = useStatementKind(table, given, { today, yearText, remembered });
  const { kind, isYear, won } = asked;
  const [first] = useState(() => ({ fields: new Map(remembered?.fields.entries()), isHeaderless: false }));
  const checked = useCheckedTable(kind, { ...given, rows: table }, first);
  const { rows, columns, choices, ticks, left: leftByHand, correct } = checked;
  const isPartial = checked.extras[PARTIAL] === true;
  const forms = useMemo(
    () => (rows ?? []).flatMap(({ line, row }) => (row ? [{ line, ...row }] : [])),
    [rows],
  );
  const twins = useMemo(() => findDuplicates(forms, entries, originals), [forms, entries, originals]);
  const missing = useMemo(() => missingEntries(forms, entries, twins), [forms, entries, twins]);
  const names = useMemo(() => categorizedNames(entries), [entries]);
  const suggested = useMemo(() => {
    const suggest = categorySuggester(names);
    return new Map(
      forms.flatMap(({ line, entry: { category, description } }) => {
        const [likeliest] = category === '' ? suggest(description) : [];
        return likeliest === undefined ? [] : [[line, likeliest] as const];
      }),
    );
  }, [names, forms]);
  const found = useMemo(
    () =>
      checkStatement(rows ?? [], {
        won: kind.amountUnit && won,
        merged: mergedNumbers,
        beside: (line) => notesBeside(table[columns.headerAt + line] ?? [], columns.columns),
      }),
    [rows, kind, won, mergedNumbers, table, columns],
  );
  const remarks = useMemo(() => {
    const onCategory = (line: number, category: string) => correct(line, 'category', category);
    return remarkColumns({ today, twins, gaps: found.gaps, found: found.remarks, suggested, onCategory });
  }, [today, twins, found, suggested, correct]);

  // Rows that are already stored, or probably not entries, are left out until the user ticks them.
  const left = useMemo(() => {
    const doubtful = forms.flatMap(({ line, isLeftOut }) => (isLeftOut ? [line] : []));
    return excludedLines({ left: leftByHand, ticks }, [...storedLines(twins), ...doubtful, ...found.leftOut]);
  }, [leftByHand, ticks, twins, forms, found]);
  const check = { ...checked, left };
  const chosenOnes = new Set(chosenRows(check));
  const chosen = oldestFirst((rows ?? []).flatMap(({ row }) => row ?? []))
    .filter((row) => chosenOnes.has(row))
    .map(({ entry }) => entry);
  const amountAt = columns.columns.find(({ field }) => field === 'amount')?.at;
  const sum = chosen.reduce((all, { amount }) => all + BigInt(amount), 0n);
  const remarked = useMemo(() => [...found.remarks.keys()], [found]);
  const qualified = qualifiedLabels(columns.columns);
  const doubled = [...twins.keys()].filter((line) => !left.has(line)).length;
  const deleted = [...twins.values()].filter(({ likeness }) => likeness === 'deleted').length;
  const planned = forms.filter(({ entry }) => isPlanned(entry, today)).length;
  const bad =
    rows?.filter(({ row, errors }) => row === undefined && errors[0]?.reason !== TOTALS_ROW_TEXT).length ?? 0;
  const start = () => {
    if (choices.fields.size > 0 && columns.headerAt !== -1) {
      const fields = columns.columns.map(({ field }) => field ?? null);
      const header = table[columns.headerAt]?.slice(0, fields.length) ?? [];
      rememberColumns(userId, { header, fields });
    }
    setRepeated(0);
    onStart(async () => {
      // Another tab may have changed entries after the preview, and the originals may not have been loaded.
      const [now, nowOriginals] = await Promise.all([
        client.fetchQuery({ ...entriesQuery, ...atOnce }),
        client.fetchQuery({ ...originalEntriesQuery, ...atOnce }),
      ]);
      const known = storedLines(findDuplicates(forms, now, nowOriginals));
      const repeats = withoutItems(withoutItems(known, storedLines(twins)), left).size;
      if (repeats === 0) return chosen;
      setRepeated(repeats);
      return undefined;
    });
  };
  return (
    <>
      {kind.profile !== undefined && (
        <p className="text-sm text-ink-soft">{kind.profile} 거래 내역으로 읽었습니다.</p>
      )}
      <ColumnChoice check={check} />
      <StatementQuestions asked={asked} yearText={yearText} onYear={onYear} />
      {columns.columns.length === 1 && (
        <p role="alert" className="rounded-md bg-notice-wash px-4 py-3 text-notice">
          열이 하나뿐이어서 표로 읽을 수 없습니다. 표에서 복사하거나 쉼표로 나뉜 CSV를 붙여넣으세요. CSV에서
          쉼표가 있는 칸은 &quot;50,000&quot;처럼 따옴표로 감싸야 합니다.
        </p>
      )}
      {rows && rows.length > 0 && (
        <section aria-label="미리보기">
          <p aria-live="polite" className="mb-3 text-sm tabular-nums">
            {rows.length}행 중 {chosen.length}건을 추가합니다. 합계 {signedWonText(sum)}
            <CountNotice count={planned} text="아직 오지 않은 날짜" />
            <CountNotice count={twins.size - deleted} text="중복 의심" />
            <CountNotice count={doubled} text="중복이 의심되지만 추가하는 내역" />
            <CountNotice count={deleted} text="지운 내역" />
            <CountNotice count={found.gaps.size} text="잔액과 맞지 않는 행" />
            <CountNotice count={found.wrongTotals} text="합계와 맞지 않는 행" />
            <CountNotice count={remarked.filter((line) => !left.has(line)).length} text="비교에 적힌 행" />
          </p>
          {qualified.length > 0 && (
            <p className="mb-3 text-sm text-notice">
              머리글의 괄호에 적힌 뜻을 확인하세요: {qualified.join(', ')}.
            </p>
          )}
          {amountAt !== undefined && (
            <SignNotices
              rows={rows}
              chosen={chosenRows(check)}
              onSpent={() => check.chooseColumn(amountAt, 'withdrawal')}
            />
          )}
          {found.isOtherBalance && (
            <p className="mb-3 text-sm text-notice">
              잔액 열이 거의 모든 행에서 금액과 맞지 않아, 통장의 잔액이 아닌 것으로 보고 비교하지 않았습니다.
            </p>
          )}
          {found.fees > 0 && (
            <p className="mb-3 text-sm text-notice">
              수수료 열의 금액 {wonText(found.fees)}은 읽지 않았습니다. 따로 나간 돈이면 출금으로 추가하세요.
            </p>
          )}
          {missing.length > 0 && <MissingEntries missing={missing} />}
          {suggested.size > 0 && (
            <Button
              variant="outline"
              size="sm"
              className="mb-3"
              onClick={() =>
                check.correctRows(
                  '분류 제안 넣기',
                  [...suggested].map(([line, category]) => ({ line, cells: { category } })),
                )
              }
            >
              비슷한 내역의 분류 {suggested.size}건 모두 넣기
            </Button>
          )}
          <CheckTable check={check} caption="가져올 내역" outcome={remarks} remarked={remarked} />
          {repeated > 0 && (
            <p role="alert" className="mt-4 rounded-md bg-notice-wash px-4 py-3 text-notice">
              그 사이에 같은 내역 {repeated}건이 저장되거나 지워져 아무것도 추가하지 않았습니다. ‘이미
              있음’이나 ‘지운 내역’으로 제외한 행을 확인하고 다시 누르세요.
            </p>
          )}
          <ImportFoot
            label={`${chosen.length}건 추가`}
            waitsFor={
              chosen.length === 0
                ? '추가할 행을 체크하세요.'
                : !isYear
                  ? '날짜의 연도를 올바르게 입력하세요.'
                  : bad > 0 && !isPartial
                    ? `읽을 수 없는 ${bad}행을 고치거나, 제외하고 추가한다고 체크하세요.`
                    : undefined
            }
            isBusy={isBusy}
            onStore={start}
          >
            {bad > 0 && (
              <label className="flex min-h-10 w-full items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={isPartial}
                  onChange={(event) => check.tickExtra(PARTIAL, event.target.checked)}
                />
                읽을 수 없는 {bad}행을 제외하고 추가
              </label>
            )}
          </ImportFoot>
        </section>
      )}
    </>
  );
}
