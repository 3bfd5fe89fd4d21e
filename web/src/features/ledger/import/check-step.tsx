import {
  dateProblem,
  isPlanned,
  type EntryWithBalance,
  type LedgerEntryForm,
  type OriginalEntry,
} from '#contract/ledger';
import { seoulDay } from '#contract/time';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { CheckTable, ImportFoot } from '../../../components/import/check-table.tsx';
import { TOTALS_ROW_TEXT } from '../../../components/import/checked-rows.ts';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import type { CheckedRow } from '../../../components/import/import-kind.ts';
import { chosenRows, excludedLines, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import type { InputTable } from '../../../components/import/use-table-input.ts';
import type { Column } from '../../../components/table-column.ts';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { parseNumber } from '../../../lib/form-problems.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { categorySuggester, categorizedNames } from '../book/categories.ts';
import { DateMark } from '../book/timeline-lines.tsx';
import { dateMark, dayText, descriptionText, signedWonText, entryTypeLabels, wonText } from '../labels.ts';
import { entriesQuery, originalEntriesQuery } from '../queries.ts';
import type { DateOrder } from '../read-cell.ts';
import type { StatementField } from './bank-profiles.ts';
import {
  balanceGaps,
  findDuplicates,
  oldestFirst,
  storedLines,
  type BalanceGap,
  type Duplicate,
} from './import-plan.ts';
import { joinDateColumns } from './date-columns.ts';
import { checkStatement, notesBeside } from './statement-checks.ts';
import { DIRECTION_MISSING } from './statement-amount.ts';
import { ledgerKind, ORDER_LABELS, type StatementRow } from './ledger-kind.ts';
import { rememberColumns, rememberedColumns } from './statement-columns.ts';
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
  const typed = yearText.trim() === '' ? undefined : parseNumber(yearText);
  const isYear = typed === undefined || dateProblem(`${typed}-12-31`, today) === undefined;
  const year = isYear ? typed : undefined;
  const [remembered] = useState(() => rememberedColumns(userId, table));
  const [orders, chooseOrders] = useState<ReadonlyMap<string, DateOrder>>(new Map());
  const [won, chooseWon] = useState<number>();
  const { name, sheets, sheet, remarks: fileRemarks } = given;
  const kind = useMemo(() => {
    const named = [name, sheets[sheet] ?? ''];
    return ledgerKind(table, { today, year, orders, won, remembered, names: named });
  }, [table, today, year, orders, won, remembered, name, sheets, sheet]);
  const [first] = useState(() => ({
    fields: new Map(remembered?.fields.entries()),
    isHeaderless: false,
  }));
  const checked = useCheckedTable(kind, { ...given, rows: table }, first);
  const { rows, columns, choices, ticks, left: leftByHand } = checked;
  const isPartial = checked.extras[PARTIAL] === true;
  const forms = useMemo(
    () => (rows ?? []).flatMap(({ line, row }) => (row ? [{ line, ...row }] : [])),
    [rows],
  );
  const twins = useMemo(() => findDuplicates(forms, entries, originals), [forms, entries, originals]);
  const gaps = useMemo(
    () =>
      new Map(
        balanceGaps(
          forms.flatMap(({ line, entry: { amount }, balance }) =>
            balance === undefined ? [] : [{ line, amount, balance }],
          ),
        ).map((gap) => [gap.line, gap]),
      ),
    [forms],
  );
  const { correct } = checked;
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
        merged: fileRemarks.mergedNumbers,
        beside: (line) => notesBeside(table[columns.headerAt + line] ?? [], columns.columns),
      }),
    [rows, kind, won, fileRemarks, table, columns],
  );
  const remarks = useMemo(() => {
    const onCategory = (line: number, category: string) => correct(line, 'category', category);
    return remarkColumns({ today, twins, gaps, found: found.remarks, suggested, onCategory });
  }, [today, twins, gaps, found, suggested, correct]);

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
  const unsigned = chosenRows(check).filter(({ isUnsigned }) => isUnsigned).length;
  const signed = chosen.filter(({ amount }) => amount < 0).length;
  const undirected =
    rows?.filter(({ errors }) => errors.some(({ reason }) => reason === DIRECTION_MISSING)).length ?? 0;
  const isAllUnsigned = unsigned === chosen.length - signed;
  const amountAt = columns.columns.find(({ field }) => field === 'amount')?.at;
  const sum = chosen.reduce((all, { amount }) => all + BigInt(amount), 0n);
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
      {(kind.lacksYears || yearText !== '') && (
        <TextField
          className="w-56"
          label="연도가 없는 날짜의 연도"
          inputMode="numeric"
          autoComplete="off"
          value={yearText}
          placeholder={kind.titleYear === undefined ? '비우면 가장 최근 날짜' : `표에 적힌 ${kind.titleYear}`}
          error={isYear ? undefined : '연도를 올바르게 입력하세요'}
          onChange={(event) => onYear(event.target.value)}
        />
      )}
      {kind.amountUnit && (
        <SelectField<number>
          className="w-72"
          label={`금액의 단위 (표에 ‘${kind.amountUnit.words}’이 적혀 있습니다)`}
          options={[
            { value: 0, label: '선택하세요' },
            ...kind.amountUnit.won.map((value) => ({
              value,
              label: value === 1 ? '원으로 적힌 금액' : `${value.toLocaleString('ko')}원 단위 (곱해서 저장)`,
            })),
          ]}
          value={won ?? 0}
          onChange={(value) => chooseWon(value === 0 ? undefined : value)}
        />
      )}
      {kind.open.map(({ writing, example, orders: possible }) => (
        <SelectField<DateOrder | ''>
          key={writing}
          className="w-56"
          label={`날짜의 순서 (${example}: 두 가지 이상으로 읽을 수 있습니다)`}
          options={[
            { value: '', label: '선택하세요' },
            ...possible.map((value) => ({ value, label: ORDER_LABELS[value] })),
          ]}
          value={orders.get(writing) ?? ''}
          onChange={(value) => {
            const next = new Map(orders);
            if (value === '') next.delete(writing);
            else next.set(writing, value);
            chooseOrders(next);
          }}
        />
      ))}
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
            <Notice count={planned} text="아직 오지 않은 날짜" />
            <Notice count={twins.size - deleted} text="중복 의심" />
            <Notice count={deleted} text="지운 내역" />
            <Notice count={gaps.size} text="잔액과 맞지 않는 행" />
            <Notice count={found.wrongTotals} text="합계와 맞지 않는 행" />
          </p>
          {undirected > 0 && amountAt !== undefined && (
            <p className="mb-3 flex flex-wrap items-center gap-x-2 text-sm text-notice">
              입금인지 출금인지 알 수 없는 금액이 {undirected}건 있습니다.
              {chosen.length === 0 && (
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => check.chooseColumn(amountAt, 'withdrawal')}
                >
                  모두 출금으로 읽기
                </Button>
              )}
            </p>
          )}
          {unsigned > 0 && amountAt !== undefined && (
            <p className="mb-3 flex flex-wrap items-center gap-x-2 text-sm text-notice">
              {signed === 0
                ? `부호가 없는 금액 ${unsigned}건을 입금으로 읽었습니다.`
                : `부호가 없는 금액 ${unsigned}건을 입금, 빼기 기호가 있는 ${signed}건을 출금으로 읽었습니다.`}
              {isAllUnsigned && (
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => check.chooseColumn(amountAt, 'withdrawal')}
                >
                  {signed === 0 ? '모두 출금으로 읽기' : '반대로 읽기'}
                </Button>
              )}
            </p>
          )}
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
          <CheckTable check={check} caption="가져올 내역" outcome={remarks} />
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

function Notice({ count, text }: { count: number; text: string }) {
  if (count === 0) return null;
  return (
    <span className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 font-semibold text-notice">
      {text} {count}건
    </span>
  );
}

type Row = CheckedRow<StatementField, StatementRow>;
type Remarks = {
  today: string;
  /** The stored entry that a row probably repeats, by line; `gaps` has wrong balances, by line. */
  twins: ReadonlyMap<number, Duplicate>;
  gaps: ReadonlyMap<number, BalanceGap>;
  /** What the comparison of the rows with each other has found, by line. */
  found: ReadonlyMap<number, string>;
  /** The suggested category of each row that has no category, by line. */
  suggested: ReadonlyMap<number, string>;
  onCategory: (line: number, category: string) => void;
};

/** Columns that show what happens to each row and what is unusual about it. */
function remarkColumns({ today, twins, gaps, found, suggested, onCategory }: Remarks): Column<Row>[] {
  return [
    {
      key: 'entry',
      header: '추가할 내역',
      width: '16%',
      className: 'min-w-40 wrap-anywhere',
      cell: ({ row }) =>
        row && (
          <>
            {dayText(row.entry.datetime)} {entryTypeLabels[row.entry.amount > 0 ? 'deposit' : 'withdraw']}{' '}
            {signedWonText(row.entry.amount)} <DateMark mark={dateMark(row.entry, today)} />
            <span className="block text-sm text-ink-soft">{descriptionText(row.entry.description)}</span>
          </>
        ),
    },
    {
      key: 'remark',
      header: '비교',
      width: '16%',
      className: 'min-w-40 wrap-anywhere',
      cell: ({ line }) => {
        const category = suggested.get(line);
        return (
          <>
            <Remark twin={twins.get(line)} gap={gaps.get(line)} found={found.get(line)} />
            {category !== undefined && (
              <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
                비슷한 내역의 분류
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={`${line}행 분류 ${category} 넣기`}
                  onClick={() => onCategory(line, category)}
                >
                  {category}
                </Button>
              </p>
            )}
          </>
        );
      },
    },
  ];
}

const TWIN_WORDS: Record<Duplicate['likeness'], string> = {
  deleted: '지운 내역',
  same: '이미 있음',
  corrected: '이미 있음 (그 뒤에 고친 내역)',
  alike: '비슷한 내역',
  revised: '금액이 다른 내역',
  moved: '날짜가 다른 내역',
};

type RemarkProps = { twin: Duplicate | undefined; gap: BalanceGap | undefined; found: string | undefined };

function Remark({ twin, gap, found }: RemarkProps) {
  return (
    <ul className="space-y-1 text-sm text-notice">
      {twin && (
        <li>
          {TWIN_WORDS[twin.likeness]}: {descriptionText(twin.entry.description)}
          {twin.likeness === 'revised' && ` ${signedWonText(twin.entry.amount)}`}
          {twin.likeness === 'moved' && ` ${dayText(twin.entry.datetime)}`}
        </li>
      )}
      {gap && (
        <li>
          앞뒤 행으로 계산한 잔액은 {wonText(gap.expected)}입니다.{' '}
          {gap.isReversed ? '입금과 출금이 바뀐 것으로 보입니다.' : '빠진 행이 있는지 확인하세요.'}
        </li>
      )}
      {found !== undefined && <li>{found}</li>}
    </ul>
  );
}
