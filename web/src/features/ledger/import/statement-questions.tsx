import { dateProblem } from '#contract/ledger';
import { useMemo, useState } from 'react';
import type { InputTable } from '../../../components/import/use-table-input.ts';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { parseNumber } from '../../../lib/form-problems.ts';
import type { PastedTable } from '../../../lib/paste-table.ts';
import type { DateOrder } from '../read-cell.ts';
import { ledgerKind, ORDER_LABELS } from './ledger-kind.ts';
import type { RememberedColumns } from './statement-columns.ts';

type Given = { today: string; yearText: string; remembered: RememberedColumns | undefined };

/** How to read the table, as far as it and the user's answers say. */
export function useStatementKind(
  table: PastedTable,
  { name, sheets, sheet }: InputTable,
  { today, yearText, remembered }: Given,
) {
  const [orders, chooseOrders] = useState<ReadonlyMap<string, DateOrder>>(new Map());
  const [won, chooseWon] = useState<number>();
  const typed = yearText.trim() === '' ? undefined : parseNumber(yearText);
  const isYear = typed === undefined || dateProblem(`${typed}-12-31`, today) === undefined;
  const year = isYear ? typed : undefined;
  const kind = useMemo(() => {
    const names = [name, sheets[sheet] ?? ''];
    return ledgerKind(table, { today, year, orders, won, remembered, names });
  }, [table, today, year, orders, won, remembered, name, sheets, sheet]);
  return { kind, isYear, won, chooseWon, orders, chooseOrders };
}

type Props = { asked: ReturnType<typeof useStatementKind>; yearText: string; onYear: (text: string) => void };

/** Asks what the table does not say: the year of its dates, the unit of its amounts, the order of day and month. */
export function StatementQuestions({ asked, yearText, onYear }: Props) {
  const { kind, isYear, won, chooseWon, orders, chooseOrders } = asked;
  const { lacksYears, titleYear, amountUnit, open } = kind;
  return (
    <>
      {(lacksYears || yearText !== '') && (
        <TextField
          className="w-56"
          label="연도가 없는 날짜의 연도"
          inputMode="numeric"
          autoComplete="off"
          value={yearText}
          placeholder={titleYear === undefined ? '비우면 가장 최근 날짜' : `표에 적힌 ${titleYear}`}
          error={isYear ? undefined : '연도를 올바르게 입력하세요'}
          onChange={(event) => onYear(event.target.value)}
        />
      )}
      {amountUnit && (
        <SelectField<number>
          className="w-72"
          label={`금액의 단위 (표에 ‘${amountUnit.words}’이 적혀 있습니다)`}
          options={[
            { value: 0, label: '선택하세요' },
            ...amountUnit.won.map((value) => ({
              value,
              label: value === 1 ? '원으로 적힌 금액' : `${value.toLocaleString('ko')}원 단위 (곱해서 저장)`,
            })),
          ]}
          value={won ?? 0}
          onChange={(value) => chooseWon(value === 0 ? undefined : value)}
        />
      )}
      {open.map(({ writing, example, orders: possible }) => (
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
    </>
  );
}
