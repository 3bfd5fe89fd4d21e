import type { ColumnValues } from '../lib/column-values.ts';

type Props = {
  columns: readonly ColumnValues[];
  /** The lines that are left out. */
  left: ReadonlySet<number>;
  onLeave: (lines: readonly number[], isLeft: boolean) => void;
  /** What else was not read. */
  others?: string;
};

const TEXT_MAX = 30;
const NAMED = 12;
const shortText = (text: string) =>
  text === '' ? '빈 칸' : text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;

/** Says what unread columns contain. The user can leave out the rows of a value, as with a filter in Excel. */
export function ColumnValuesPart({ columns, left, onLeave, others = '' }: Props) {
  if (columns.length === 0) return others === '' ? null : <p className="text-sm text-ink-soft">{others}</p>;
  const summary = columns.map(({ label, values }) => {
    const [first, second] = values;
    if (first && !second) return `${label}(모두 ${shortText(first.text)})`;
    const counted = values.slice(0, NAMED).map(({ text, lines }) => `${shortText(text)}: ${lines.length}행`);
    const more = values.length - counted.length;
    return `${label}(${counted.join(', ')}${more > 0 ? ` 외 ${more}가지` : ''})`;
  });
  return (
    <details className="mb-3 rounded-md border border-line">
      <summary className="min-h-10 cursor-pointer px-4 py-2 text-sm wrap-anywhere text-ink-soft">
        <span className="text-notice">확인할 열의 값: {summary.join(' · ')}.</span> {others} 값으로 행 제외
      </summary>
      {columns.map(({ at, label, values }) => (
        <fieldset key={at} className="px-4 pb-3 text-sm">
          <legend className="font-semibold">{label}</legend>
          {values.map(({ text, lines }) => {
            const kept = lines.filter((line) => !left.has(line)).length;
            return (
              <label key={lines[0]} className="mr-4 inline-flex min-h-9 items-center gap-2 wrap-anywhere">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={kept === lines.length}
                  ref={(box) => {
                    if (box) box.indeterminate = kept > 0 && kept < lines.length;
                  }}
                  onChange={() => onLeave(lines, kept > 0)}
                />
                {shortText(text)}: {lines.length}행
              </label>
            );
          })}
        </fieldset>
      ))}
    </details>
  );
}
