import { termDays, termText } from '#contract/terms';
import { totalsByCategory, type TermStatement } from '../totals.ts';
import {
  categoryText,
  dateMark,
  dayText,
  descriptionText,
  signedWonText,
  entryTypeLabels,
  wonText,
} from '../labels.ts';

/** Columns that phones do not show, because the sign and the description suffice. */
const WIDE_COLUMN = 'hidden sm:table-cell print:table-cell';

type Props = { statement: TermStatement; today: string };

/** Lets the arrow keys scroll the element. */
const keyboardScrolled = { tabIndex: 0 };

/** 학기 결산: one semester's books on A4. The print stylesheet hides everything else. */
export function StatementSheet({ statement, today }: Props) {
  const { term, carried, income, expense, planned, balance, entries } = statement;
  const { first, last } = termDays(term);
  const period = [first, last].map((day) => day.replaceAll('-', '.')).join(' – ');
  return (
    <article
      data-printed
      aria-label={`${termText(term)} 결산`}
      className="mt-6 rounded-md border border-line bg-surface p-5 tabular-nums sm:p-8 print:mt-0 print:border-0 print:p-0"
    >
      <h2 className="text-xl font-bold">{termText(term)} 랩비 결산</h2>
      <p className="mt-1 text-sm text-ink-soft">
        {period} · {entries.length}건{planned > 0 && ` (예정 ${planned}건 포함)`}
      </p>
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-3 border-y border-line-strong py-4 sm:grid-cols-4 print:grid-cols-4">
        {(
          [
            ['전기 이월', wonText(carried)],
            ['입금 합계', signedWonText(income)],
            ['출금 합계', signedWonText(-expense)],
            ['기말 잔액', wonText(balance)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="font-bold whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
      <CategorySums statement={statement} today={today} />
      {entries.length > 0 && (
        <section
          aria-label="결산 내역"
          {...keyboardScrolled}
          className="mt-5 overflow-x-auto print:overflow-visible"
        >
          <table className="w-full border-collapse text-left text-sm">
            <caption className="sr-only">{termText(term)} 내역 (오래된 순)</caption>
            <thead>
              <tr className="border-b border-line-strong">
                {['날짜', '구분', '내용', '분류', '금액', '잔액'].map((header, at) => (
                  <th
                    key={header}
                    scope="col"
                    className={`py-1.5 pr-3 font-semibold whitespace-nowrap ${at >= 4 ? 'text-right' : ''} ${at === 1 || at === 3 ? WIDE_COLUMN : ''}`}
                  >
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id} className="break-inside-avoid border-b border-line">
                  <td className="py-1 pr-3 whitespace-nowrap">
                    {dayText(entry.datetime)} {dateMark(entry, today)}
                  </td>
                  <td className={`py-1 pr-3 whitespace-nowrap ${WIDE_COLUMN}`}>
                    {entryTypeLabels[entry.type]}
                  </td>
                  <td className="min-w-32 py-1 pr-3 wrap-anywhere">{descriptionText(entry.description)}</td>
                  <td className={`max-w-32 py-1 pr-3 wrap-anywhere ${WIDE_COLUMN}`}>{entry.category}</td>
                  <td className="py-1 pr-3 text-right whitespace-nowrap">{signedWonText(entry.amount)}</td>
                  <td className="py-1 pr-3 text-right whitespace-nowrap">{wonText(entry.balance)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className="mt-10 hidden justify-end gap-16 text-sm print:flex">
        <span>작성자 (인)</span>
        <span>확인자 (인)</span>
      </p>
    </article>
  );
}

/** The sums by category, once a category is in use. */
function CategorySums({ statement: { term, entries }, today }: Props) {
  const sums = totalsByCategory(entries, today);
  if (sums.every(([category]) => category === '')) return null;
  return (
    <table className="mt-5 w-full border-collapse text-left text-sm">
      <caption className="pb-1 text-left font-semibold">{termText(term)} 분류별 합계</caption>
      <thead>
        <tr className="border-b border-line-strong">
          {['분류', '건수', '입금', '출금'].map((header, at) => (
            <th
              key={header}
              scope="col"
              className={`py-1.5 pr-3 font-semibold ${at > 0 ? 'text-right' : ''}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sums.map(([category, { count, income, expense }]) => (
          <tr key={category} className="border-b border-line break-inside-avoid">
            <th scope="row" className="py-1 pr-3 font-normal wrap-anywhere">
              {categoryText(category)}
            </th>
            <td className="py-1 pr-3 text-right">{count}</td>
            <td className="py-1 pr-3 text-right whitespace-nowrap">{signedWonText(income)}</td>
            <td className="py-1 pr-3 text-right whitespace-nowrap">{signedWonText(-expense)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
