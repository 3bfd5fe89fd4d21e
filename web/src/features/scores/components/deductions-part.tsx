import { SelectField } from '../../../components/select-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import type { Deduction } from '../weighting.ts';
import { NumberField } from './number-field.tsx';

type Props = {
  deductions: readonly Deduction[];
  columns: readonly { value: number; label: string }[];
  /** The column of lateness or absence, if there is one. */
  suggested: number | undefined;
  onChange: (deductions: Deduction[], name: string, mergeKey?: string) => void;
};

/** Points taken off the total for each absence or late arrival. */
export function DeductionsPart({ deductions, columns, suggested, onChange }: Props) {
  const first = suggested ?? columns[0]?.value;
  const set = (at: number, part: Partial<Deduction>, mergeKey?: string) => {
    onChange(
      deductions.map((each, place) => (place === at ? { ...each, ...part } : each)),
      '감점 바꾸기',
      mergeKey,
    );
  };
  return (
    <div className="mt-3">
      {deductions.map((deduction, at) => (
        // Two may be of the same column.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={at} className="flex flex-wrap items-end gap-x-4 gap-y-2 border-b border-line py-3">
          <legend className="sr-only">감점 {at + 1}</legend>
          <SelectField
            className="w-36"
            label="횟수가 있는 열"
            size="sm"
            options={columns}
            value={deduction.column}
            onChange={(column) => set(at, { column })}
          />
          <NumberField
            label="1회당"
            unit="점"
            min={0}
            max={100}
            value={deduction.points}
            onChange={(points, visit) => set(at, { points: points ?? 0 }, `points ${at} ${visit}`)}
          />
          <NumberField
            label="감점하지 않는 횟수"
            unit="회"
            min={0}
            max={100}
            places={0}
            value={deduction.free}
            onChange={(free, visit) => set(at, { free: free ?? 0 }, `free ${at} ${visit}`)}
          />
          <NumberField
            label="최대 감점"
            unit="점"
            min={0}
            max={100}
            isOptional
            value={deduction.most}
            onChange={(most, visit) => set(at, { most }, `most ${at} ${visit}`)}
          />
          <Button
            variant="destructive-ghost"
            size="sm"
            aria-label={`감점 ${at + 1} 지우기`}
            onClick={() =>
              onChange(
                deductions.filter((_, place) => place !== at),
                '감점 지우기',
              )
            }
          >
            지우기
          </Button>
        </fieldset>
      ))}
      {first !== undefined && (
        <Button
          variant="outline"
          size="sm"
          className="mt-3"
          onClick={() =>
            onChange([...deductions, { column: first, points: 1, free: 0, most: undefined }], '감점 추가')
          }
        >
          결석·지각 감점 추가
        </Button>
      )}
    </div>
  );
}
