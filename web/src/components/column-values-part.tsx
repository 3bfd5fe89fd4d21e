import { useRef } from 'react';
import { isNumber, isProse, type ColumnValue, type ColumnValues } from '../lib/column-values.ts';

type Props = {
  columns: readonly ColumnValues[];
  /** The lines that are left out. */
  left: ReadonlySet<number>;
  onLeave: (lines: readonly number[], isLeft: boolean) => void;
  /** What else was not read. */
  others?: string;
};

const TEXT_MAX = 30;
const VALUES_NAMED = 8;
const REMARKS_NAMED = 5;
const COLUMNS_NAMED = 6;

const nameOf = (text: string) => (text === '' ? '빈 칸' : text);
const shortText = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : nameOf(text));

/** Whether a column has several numbers, as answers or sections do; two values such as 0 and 1 are yes and no. */
const hasCodes = ({ values }: ColumnValues) =>
  values.length > 2 && values.every(({ text }) => text === '' || isNumber(text));

function countsText(values: readonly ColumnValue[], isKept: (line: number) => boolean): string {
  const most = values.some(({ text }) => isProse(text)) ? REMARKS_NAMED : VALUES_NAMED;
  // The most frequent value and the rarest ones say most.
  const named = values.length > most ? [...values.slice(0, 1), ...values.slice(1 - most)] : values;
  const counted = named.map(
    ({ text, lines }) => `${shortText(text)}: ${lines.length}행${lines.some(isKept) ? '' : ' 제외'}`,
  );
  const more = values.length - named.length;
  return `${counted.join(', ')}${more > 0 ? ` 외 ${more}가지` : ''}`;
}

const someOf = (texts: readonly string[], between: string) =>
  `${texts.slice(0, COLUMNS_NAMED).join(between)}${texts.length > COLUMNS_NAMED ? ` 외 ${texts.length - COLUMNS_NAMED}열` : ''}`;

/** Says what unread columns contain. The user can leave out the rows of a value, as with a filter in Excel. */
export function ColumnValuesPart({ columns, left, onLeave, others = '' }: Props) {
  const toggle = useValueFilter(columns, left, onLeave);
  if (columns.length === 0) return others === '' ? null : <p className="text-sm text-ink-soft">{others}</p>;
  const isKept = (line: number) => !left.has(line);
  const several = columns.filter(({ values }) => values.length > 1);
  const texts = several
    .filter((column) => !hasCodes(column))
    .map(({ label, values }) => `${label}(${countsText(values, isKept)})`);
  const codes = several
    .filter(hasCodes)
    .map(({ label, values }) => `${label}(${values.map(({ text }) => nameOf(text)).join(', ')})`);
  const same = columns.flatMap(({ label, values: [only, second] }) =>
    only && !second ? [`${label} ${shortText(only.text)}`] : [],
  );
  return (
    <details className="mb-3 rounded-md border border-line">
      <summary className="min-h-10 cursor-pointer px-4 py-2 text-sm wrap-anywhere text-ink-soft">
        {texts.length > 0 && <span className="text-notice">확인할 열의 값: {someOf(texts, ' · ')}. </span>}
        {codes.length > 0 && `숫자가 몇 가지인 열: ${someOf(codes, ' · ')}. `}
        {same.length > 0 && `모든 행에서 같은 열: ${someOf(same, ', ')}. `}
        {others} 값으로 행 제외
      </summary>
      <div className="max-h-72 overflow-y-auto">
        {columns.map(({ at, label, values }) => (
          <fieldset key={at} className="px-4 pb-3 text-sm">
            <legend className="font-semibold">{label}</legend>
            {values.map((value) => {
              const kept = value.lines.filter(isKept).length;
              return (
                <label
                  key={value.lines[0]}
                  className="mr-4 inline-flex min-h-9 items-center gap-2 wrap-anywhere"
                >
                  <input
                    type="checkbox"
                    className="size-4 accent-accent"
                    checked={kept === value.lines.length}
                    ref={(box) => {
                      if (box) box.indeterminate = kept > 0 && kept < value.lines.length;
                    }}
                    onChange={() => toggle(value)}
                  />
                  {nameOf(value.text)}: {value.lines.length}행
                </label>
              );
            })}
          </fieldset>
        ))}
      </div>
    </details>
  );
}

/**
 * Returns a function that leaves out the rows of a value, or takes them in again: only the rows that the value
 * itself has left out, and none that another value still leaves out.
 */
function useValueFilter(
  columns: readonly ColumnValues[],
  left: ReadonlySet<number>,
  onLeave: Props['onLeave'],
): (value: ColumnValue) => void {
  /** By the key of a value, the lines that the value has left out. */
  const leftBy = useRef(new Map<string, readonly number[]>());
  const keyOf = (value: ColumnValue) => value.lines.join();
  return (value) => {
    const kept = value.lines.filter((line) => !left.has(line));
    if (kept.length > 0) {
      leftBy.current.set(keyOf(value), kept);
      onLeave(kept, true);
      return;
    }
    const own = leftBy.current.get(keyOf(value)) ?? value.lines;
    leftBy.current.delete(keyOf(value));
    const others = columns
      .flatMap(({ values }) => values)
      .filter((other) => other !== value && leftBy.current.has(keyOf(other)))
      .filter((other) => other.lines.every((line) => left.has(line)));
    for (const other of others) {
      const shared = own.filter((line) => other.lines.includes(line));
      leftBy.current.set(keyOf(other), [...(leftBy.current.get(keyOf(other)) ?? []), ...shared]);
    }
    onLeave(
      own.filter((line) => !others.some((other) => other.lines.includes(line))),
      false,
    );
  };
}
